#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/macros.h>
#include <revctl/trace.h>

namespace revctl {

/// Fills an object with values that expose mistakes. The same seed, type and revision always
/// produce the same object. Each value depends only on its own path, so a new field does not change
/// the values of other fields.
///
///   seed % 4   0  distinct, asymmetric values: negative numbers, bytes that differ when reversed,
///                 non-ASCII text, two or three elements in each container
///              1  extremes: lowest, highest, -0.0, infinities, the smallest floats; text with
///                 quotes, newlines, long runs
///              2  small values, -1 to 6, which are typical of conditions in bodies
///              3  empty: no elements, absent optionals, zero, empty text
///
/// Successive seeds produce every alternative of a variant, every named enumerator and both values
/// of each bool. Conditions are not forced: a condition is true only if the values make it true.
/// Containers nested more than 4 levels deep are empty, so that recursive types terminate.
class Filler : public AnyArchive {
 public:
  Filler(Revision at, std::uint64_t seed) : AnyArchive(/*reading=*/true), seed_(seed) {
    revision = at;
  }

  void Field(const FieldVisit& field) override {
    if (!field.live || !field.condition) return;
    const std::string_view name = field.site.name;
    Enter(name.empty() ? Mix(path_.back().hash, ++path_.back().unnamed)
                       : HashText(path_.back().hash, name));
    VisitField(field);
    path_.pop_back();
  }

  void Scalar(const TypeInfo& type, void* value) override {
    if (type.kind == Kind::Enum) {
      PutInteger(type.underlying, value, Enumerator(type));
    } else if (type.kind == Kind::F32) {
      const float number = Float<float>();
      std::memcpy(value, &number, sizeof number);
    } else if (type.kind == Kind::F64) {
      const double number = Float<double>();
      std::memcpy(value, &number, sizeof number);
    } else {
      PutInteger(type.kind, value, Integer(type.kind));
    }
  }

  void Bytes(const TypeInfo& type, std::string& bytes) override {
    if (type.kind == Kind::Bitset) {
      for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<char>(Form() == kEmpty ? 0 : Form() == kExtreme ? 0xFF : Random(i));
      }
      const std::size_t rest = type.count % 8;
      if (rest != 0)
        bytes.back() =
            static_cast<char>(static_cast<unsigned char>(bytes.back()) & ((1u << rest) - 1));
      return;
    }
    switch (Form()) {
      case kEmpty:
        bytes.clear();
        break;
      case kSmall:
        bytes.assign(1, static_cast<char>('a' + Random(0) % 26));
        break;
      case kExtreme:
        bytes = "\"quoted\"\n\t\\ \x01 ";
        bytes.append(Random(0) % 2 == 0 ? 300 : 3, static_cast<char>('A' + Random(1) % 26));
        break;
      default:
        bytes = "Zo\xC3\xAB " + std::to_string(Random(0) % 9000 + 1000) +
                " \xE3\x81\xB2\xF0\x9F\x8E\xB2";
    }
  }

  std::size_t BeginContainer(const TypeInfo& type, std::size_t count) override {
    const bool deep = ++nested_ > kDeepest;
    switch (type.kind) {
      case Kind::Sequence:
      case Kind::Map:
      case Kind::Set:
        if (deep || Form() == kEmpty) return 0;
        return Form() == kSmall ? 1 : 2 + Random(0) % 2;
      case Kind::Optional:
      case Kind::Pointer:
        if (deep || Form() == kEmpty) return 0;
        return Form() == kPlain || Form() == kExtreme ? 1 : Random(0) % 2;
      case Kind::Variant: {
        // Rotates with the seed, so that N successive seeds with the same `seed % 4` cover all N
        // alternatives.
        const std::size_t turn =
            static_cast<std::size_t>(path_.back().hash % type.count + seed_ / 4 + seed_ % 4);
        if (deep) return SimplestAlternative(type);
        return turn % type.count;
      }
      default:
        return count;
    }
  }
  bool TakesBlock(const TypeInfo&, std::size_t count) override { return count > kLongestBlock; }
  /// Fills both ends of the block and every 4,096th number in between. The other numbers are zero,
  /// so that the block compresses well.
  void Block(const TypeInfo& type, void* numbers, std::size_t count) override {
    constexpr std::size_t kEnd = 16, kStep = 4096;
    const TypeInfo& element = type.part(0);
    std::memset(numbers, 0, element.size * count);
    if (Form() == kEmpty) return;
    for (std::size_t i = 0; i < count; i = i == kEnd ? kStep : i + (i < kEnd ? 1 : kStep))
      FillNumber(element, numbers, i);
    for (std::size_t i = count - kEnd; i < count; ++i) FillNumber(element, numbers, i);
  }
  void BeginElement(const TypeInfo&, std::size_t index, bool is_key) override {
    Enter(Mix(path_.back().hash, 2 * index + (is_key ? 1 : 0) + 100));
  }
  void EndElement() override { path_.pop_back(); }
  void EndContainer(const TypeInfo&) override { --nested_; }
  void Integrity(const FieldVisit&) override {}
  bool MakesValues() const override { return true; }
  /// Ignores duplicates, because small values often repeat. The container then has fewer elements.
  void DuplicateKey() override {}
  bool Invents() const override { return true; }

 private:
  enum FormOf { kPlain, kExtreme, kSmall, kEmpty };
  static constexpr int kDeepest = 4;
  static constexpr std::size_t kLongestBlock = 1024;
  struct Scope {
    std::uint64_t hash;
    std::uint64_t unnamed = 0;
  };

  FormOf Form() const { return static_cast<FormOf>(seed_ % 4); }

  /// Hashes `a` and `b` with the finalizer of splitmix64, in which every input bit affects every
  /// output bit.
  static std::uint64_t Mix(std::uint64_t a, std::uint64_t b) {
    std::uint64_t x = a + 0x9E3779B97F4A7C15u * (b + 1);
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
  }
  static std::uint64_t HashText(std::uint64_t before, std::string_view text) {
    for (const char c : text) before = Mix(before, static_cast<unsigned char>(c));
    return before;
  }
  void Enter(std::uint64_t hash) { path_.push_back({hash}); }
  /// Fills one number of a block with the value that Scalar() would choose for that element.
  void FillNumber(const TypeInfo& element, void* numbers, std::size_t index) {
    Enter(Mix(path_.back().hash, 2 * index + 100));
    Filler::Scalar(element, static_cast<char*>(numbers) + index * element.size);
    path_.pop_back();
  }
  /// Returns a number that depends on the path, the seed and `salt`. Path hashes do not depend on
  /// the seed, so that alternatives and enumerators rotate from seed to seed.
  std::uint64_t Random(std::uint64_t salt) const {
    return Mix(Mix(path_.back().hash, seed_), salt);
  }

  static std::size_t SimplestAlternative(const TypeInfo& type) {
    for (std::size_t i = 0; i < type.parts; ++i) {
      if (type.part(i).kind <= Kind::String) return i;
    }
    return 0;
  }

  /// True if the bytes of a number are the same in reverse order, in which case a missing byte swap
  /// would go unnoticed.
  static bool ReadsBackwards(std::int64_t number, int bytes) {
    const auto bits = static_cast<std::uint64_t>(number);
    for (int i = 0; i < bytes / 2; ++i) {
      if ((bits >> (8 * i) & 0xFF) != (bits >> (8 * (bytes - 1 - i)) & 0xFF)) return false;
    }
    return true;
  }

  std::int64_t Integer(Kind kind) const {
    const int bits = 8 * static_cast<int>(detail::ScalarSize(kind));
    const bool is_signed = detail::IsSigned(kind);
    const std::uint64_t random = Random(0);
    if (kind == Kind::Bool)
      return Form() == kEmpty
                 ? 0
                 : static_cast<std::int64_t>((path_.back().hash + seed_ / 4 + seed_) % 2);
    const auto highest =
        static_cast<std::int64_t>(~std::uint64_t{0} >> ((is_signed ? 65 : 64) - bits));
    switch (Form()) {
      case kEmpty:
        return 0;
      case kSmall:
        return static_cast<std::int64_t>(random % 8) - (is_signed ? 1 : 0);
      case kExtreme:
        if (random % 3 == 0) return highest;
        if (random % 3 == 1) return is_signed ? -highest - 1 : 0;
        return is_signed ? -1 : highest - 1;
      default:
        break;
    }
    // Each byte differs from its neighbors and from zero. Half of the numbers are negative.
    std::uint64_t value = 0;
    for (int byte = 0; byte < bits / 8; ++byte)
      value = value << 8 | (1 + (random >> (7 * byte)) % 126 + static_cast<std::uint64_t>(byte));
    auto number = static_cast<std::int64_t>(value) & (is_signed ? highest : ~std::int64_t{0});
    if (is_signed && random >> 63 != 0) number = -number;
    return bits > 8 && ReadsBackwards(number, bits / 8) ? number ^ 1 : number;
  }

  std::int64_t Enumerator(const TypeInfo& type) const {
    const revctl::Enumerator* list = type.enumerators();
    std::size_t count = 0;
    while (list[count].name != nullptr) ++count;
    if (count == 0) return Integer(type.underlying);
    return list[(path_.back().hash % count + seed_ / 4 + seed_ % 4) % count].value;
  }

  static void PutInteger(Kind kind, void* value, std::int64_t number) {
    detail::CopyLowBytes(value, number, detail::ScalarSize(kind));
  }

  template <class T>
  T Float() const {
    using Limit = std::numeric_limits<T>;
    const std::uint64_t random = Random(0);
    switch (Form()) {
      case kEmpty:
        return 0;
      case kSmall:
        return static_cast<T>(static_cast<int>(random % 8) - 1);
      case kExtreme: {
        const T extremes[] = {(Limit::max)(), Limit::lowest(),   Limit::denorm_min(),
                              -T{0},          Limit::infinity(), -Limit::infinity()};
        return extremes[random % 6];
      }
      default:
        break;
    }
    // Multiples of 1/16 are exact in binary and short as text.
    const T value = static_cast<T>(random % 65521 + 1) / T{16};
    return random >> 63 != 0 ? -value : value;
  }

  std::uint64_t seed_;
  int nested_ = 0;
  std::vector<Scope> path_{{0x243F6A8885A308D3u}};
};

/// Returns a T{} filled with values from `seed` at revision `at`. Use a Filler directly to find out
/// whether a body rejected the values.
template <class T>
T Filled(Revision at, std::uint64_t seed) {
  T value{};
  Filler filler(at, seed);
  Serialize(filler, value);
  return value;
}

}  // namespace revctl
