#pragma once
#include <cstddef>
#include <cstdint>

namespace revctl {

/// Limits on the memory and depth that an input may use. Reading never creates more elements than
/// the size of the input or the budget allows, even if the elements take no bytes in the input.
struct Limits {
  /// Maximum memory in bytes for the elements that one read creates, counting at least sizeof(T)
  /// for each element. 0 means DefaultBudget().
  std::size_t budget = 0;
  /// Maximum nesting depth of containers and pointers, and of objects in a stream that own each
  /// other (their destructors recurse). Each level takes a few hundred bytes of stack, more in
  /// unoptimized builds or with sanitizers.
  int depth = 500;

  /// Returns 256 MiB plus 64 times the input size. Real data needs far less, and a machine can
  /// handle far more.
  static constexpr std::size_t DefaultBudget(std::size_t input_bytes) {
    constexpr std::size_t base = std::size_t{256} << 20;
    return input_bytes > (SIZE_MAX - base) / 64 ? SIZE_MAX : base + 64 * input_bytes;
  }
};

namespace detail {

inline constexpr char kTooDeep[] = "nested deeper than the limit";

inline constexpr char kFlooded[] =
    "too many keys share a bucket of their hash table: use std::map, std::set, or a hash with a "
    "secret seed";

/// Detects inputs whose keys collide in a hash table. An attacker can easily choose keys that all
/// fall into one bucket, because integers hash to themselves. Each insertion then compares the new
/// key with all earlier ones, so reading a file of a few megabytes takes hours. FloodWatch counts
/// these comparisons across all tables of one reader and rejects the input at about a hundred per
/// key. A good hash needs one or two per key, no matter how many keys there are.
///
/// FloodWatch counts every key, because an attacker who knows which keys are sampled would make the
/// other keys collide. It ignores tables of up to kSmall keys, because their cost is bounded, and
/// containers without buckets.
class FloodWatch {
 public:
  /// Call this after inserting a key into `table`. Returns false if the insertions so far have
  /// needed too many comparisons.
  template <class Table, class Key>
  [[gnu::always_inline]] bool Holds(const Table& table, const Key& key) {
    if constexpr (requires { table.bucket_size(table.bucket(key)); }) {
      if (table.size() > kSmall) {
        steps_ += table.bucket_size(table.bucket(key));
        return steps_ <= kFree + kEach * ++keys_;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kSmall = 512;
  // Number of comparisons that are always allowed. Even a useless hash may thus put four thousand
  // keys into one bucket.
  static constexpr std::uint64_t kFree = std::uint64_t{1} << 23;
  static constexpr std::uint64_t kEach = 128;
  std::uint64_t steps_ = 0, keys_ = 0;
};

}  // namespace detail
}  // namespace revctl
