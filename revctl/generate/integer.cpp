#include "revctl/generate/integer.h"

#include <fmt/core.h>
#include <charconv>

namespace revctl::generate {
namespace {

constexpr std::uint64_t kHalf = std::uint64_t{1} << 63;

}  // namespace

std::optional<Integer> Integer::Parse(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), magnitude);
  if (error != std::errc() || end != text.data() + text.size() || (negative && magnitude > kHalf))
    return std::nullopt;
  return Integer(negative, magnitude);
}

std::string Integer::Text() const { return (negative_ ? "-" : "") + std::to_string(magnitude_); }

std::string Integer::Cpp() const {
  if (magnitude_ < kHalf) return Text();
  return negative_ ? fmt::format("-{} - 1", kHalf - 1) : Text() + "U";
}

bool Integer::Fits(std::string_view type) const {
  const bool is_unsigned = type.front() == 'u';
  const int bits = std::stoi(std::string(type.substr(is_unsigned ? 4 : 3)));
  if (is_unsigned) return !negative_ && (bits == 64 || magnitude_ >> bits == 0);
  const std::uint64_t half = std::uint64_t{1} << (bits - 1);
  return negative_ ? magnitude_ <= half : magnitude_ < half;
}

std::optional<Integer> Integer::Next() const {
  if (negative_) return Integer(true, magnitude_ - 1);
  if (magnitude_ == UINT64_MAX) return std::nullopt;
  return Integer(false, magnitude_ + 1);
}

}  // namespace revctl::generate
