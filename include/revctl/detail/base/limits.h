#pragma once
#include <cstddef>
#include <cstdint>

namespace revctl {

/// What an input may cost its reader. Reading never makes more elements than the input's bytes pay
/// for, and never more memory than the budget allows, also where elements have no bytes at all.
struct Limits {
  /// Bytes of elements that one reading may make: sizeof(T) for each. Zero means the default of
  /// DefaultBudget().
  std::size_t budget = 0;
  /// Containers and pointers nested in one another; also objects of a stream that own one another,
  /// since destroying them goes as deep. Each level costs some stack: a few hundred bytes, more
  /// without optimisation or with sanitizers.
  int depth = 500;

  /// 64 times the input and 256 MiB: far above what real data asks for, far below what takes a
  /// machine down.
  static constexpr std::size_t DefaultBudget(std::size_t input_bytes) {
    constexpr std::size_t base = std::size_t{256} << 20;
    return input_bytes > (SIZE_MAX - base) / 64 ? SIZE_MAX : base + 64 * input_bytes;
  }
};

namespace detail {

inline constexpr char kTooDeep[] = "nested deeper than the limit";

inline constexpr char kFlooded[] =
    "the keys meet in too few buckets of their hash table: use std::map, std::set, or a hash "
    "with a secret seed";

/// What an input makes the hash tables work that are filled from it. Keys may be chosen so that all
/// of them meet in one bucket (numbers hash to themselves, and where that leads is no secret): then
/// each looks at all before it, and a file of a few megabytes takes hours. So the steps are
/// counted, for all tables that one reader fills together, and beyond a hundred or so for each key
/// the input is refused. A hash that does its work has one or two; tens of millions of keys change
/// nothing about that.
///
/// Counted, not sampled: who knows which keys are looked at would put the others where it hurts.
/// Tables of up to kSmall keys are left alone, as what they can cost is bounded, and so are
/// containers that have no buckets.
class FloodWatch {
 public:
  /// To be asked after each key that came into `table`. False once there was too much work.
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
  static constexpr std::uint64_t kFree =
      std::uint64_t{1} << 23;  // a hash that is none may fill one bucket with four thousand
  static constexpr std::uint64_t kEach = 128;
  std::uint64_t steps_ = 0, keys_ = 0;
};

}  // namespace detail
}  // namespace revctl
