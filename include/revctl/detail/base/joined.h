#pragma once
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace revctl::detail {

/// A part of a message: a string or an integer.
class TextPart {
 public:
  // NOLINTBEGIN(google-explicit-constructor)
  TextPart(std::string_view text) : text_(text) {}
  TextPart(const std::string& text) : text_(text) {}
  TextPart(const char* text) : text_(text) {}
  template <std::integral N>
  TextPart(N number)
      : is_number_(true),
        is_negative_(number < N{0}),
        magnitude_(is_negative_ ? 0 - static_cast<std::uint64_t>(number)
                                : static_cast<std::uint64_t>(number)) {}
  // NOLINTEND(google-explicit-constructor)

  void AddTo(std::string& text) const {
    if (is_negative_) text += '-';
    if (is_number_) {
      text += std::to_string(magnitude_);
    } else {
      text += text_;
    }
  }

 private:
  std::string_view text_;
  bool is_number_ = false;
  bool is_negative_ = false;
  std::uint64_t magnitude_ = 0;
};

/// Concatenates the parts of a message. A single call compiles faster than a chain of + operators
/// with temporary strings.
[[gnu::cold, gnu::noinline]] inline std::string Joined(std::initializer_list<TextPart> parts) {
  std::string text;
  for (const TextPart& part : parts) part.AddTo(text);
  return text;
}

}  // namespace revctl::detail
