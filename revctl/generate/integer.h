#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The value of an enumerator: any int64_t or uint64_t, a range that no single C++ type covers.
namespace revctl::generate {

class Integer {
 public:
  Integer() = default;
  Integer(bool negative, std::uint64_t magnitude)
      : negative_(negative && magnitude != 0), magnitude_(magnitude) {}

  /// Parses an integer such as `-3`. Returns nullopt unless `text` is an integer that fits in 64
  /// bits.
  static std::optional<Integer> Parse(std::string_view text);
  std::string Text() const;
  /// Returns a C++ expression with the value. The minimum of int64_t has no literal, and large
  /// values need a suffix.
  std::string Cpp() const;
  /// True if `type`, one of `int8_t` to `uint64_t`, can hold the value.
  bool Fits(std::string_view type) const;
  /// Returns the value plus one, or nullopt for the maximum of uint64_t.
  std::optional<Integer> Next() const;

  friend bool operator==(const Integer&, const Integer&) = default;
  friend std::strong_ordering operator<=>(const Integer& a, const Integer& b) {
    if (a.negative_ != b.negative_)
      return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
    return a.negative_ ? b.magnitude_ <=> a.magnitude_ : a.magnitude_ <=> b.magnitude_;
  }

 private:
  bool negative_ = false;
  std::uint64_t magnitude_ = 0;
};

}  // namespace revctl::generate
