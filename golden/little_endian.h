#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace revctl::golden {

/// Appends a number as little-endian bytes.
template <class Number>
void PutNumber(std::string& out, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i)
    out += static_cast<char>(number >> (8 * i) & 0xFF);
}

/// Returns the little-endian number at `offset`. The whole number must be within `bytes`.
template <class Number>
Number GetNumber(std::string_view bytes, std::size_t offset) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    number |= static_cast<Number>(static_cast<Number>(static_cast<unsigned char>(bytes[offset + i]))
                                  << (8 * i));
  }
  return number;
}

}  // namespace revctl::golden
