#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// Values of enumerators: each value of int64_t and of uint64_t, which no single type of C++ holds.
namespace revctl::generate {

class Integer {
 public:
  Integer() = default;
  Integer(bool negative, std::uint64_t magnitude)
      : negative_(negative && magnitude != 0), magnitude_(magnitude) {}

  /// `-3`; nothing where the text is no whole number, or one beyond 64 bits.
  static std::optional<Integer> Parse(std::string_view text);
  /// `-3`.
  std::string Text() const;
  /// As an expression of C++: the least int64_t has no literal, nor has the greater half of
  /// uint64_t one without a suffix.
  std::string Cpp() const;
  /// `type`: `int8_t` to `uint64_t`.
  bool Fits(std::string_view type) const;
  /// One more; nothing behind the greatest uint64_t.
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
