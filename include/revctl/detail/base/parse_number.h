#pragma once
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <version>

namespace revctl::detail {

/// Parses the whole text as a decimal floating-point number. The decimal point is '.' in every
/// locale. Returns false for any other text and for numbers outside the range of F.
template <class F>
bool ParseFloatWithStrtod(std::string_view text, F& number) {
  // strtod() would also accept spaces, a plus sign, hexadecimal numbers and names such as "inf".
  if (text.empty() || text[0] == '+' || text.find_first_not_of("0123456789.eE+-") != text.npos)
    return false;
  std::string local(text);
  if (const std::size_t point = local.find('.'); point != local.npos)
    local.replace(point, 1, std::localeconv()->decimal_point);
  char* end = nullptr;
  if constexpr (std::is_same_v<F, float>) {
    number = std::strtof(local.c_str(), &end);
  } else {
    number = std::strtod(local.c_str(), &end);
  }
  // Reject numbers that are too small, as from_chars() does.
  const std::string_view digits = text.substr(0, text.find_first_of("eE"));
  const bool underflow = number == 0 && digits.find_first_of("123456789") != digits.npos;
  return end == local.c_str() + local.size() && !std::isinf(number) && !underflow;
}

/// Parses the whole text as a decimal number. Returns false for any other text and for numbers
/// outside the range of N.
template <class N>
bool ParseNumber(std::string_view text, N& number) {
#ifndef __cpp_lib_to_chars  // libc++ 14 reads only integers
  if constexpr (std::is_floating_point_v<N>) return ParseFloatWithStrtod(text, number);
  else
#endif
  {
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    return result.ec == std::errc() && result.ptr == text.data() + text.size();
  }
}

}  // namespace revctl::detail
