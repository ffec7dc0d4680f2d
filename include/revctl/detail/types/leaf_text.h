#pragma once
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <revctl/detail/base/checksum.h>
#include <revctl/detail/types/enums.h>
#include <revctl/detail/types/type_info.h>

// Converts leaf values to exact, portable text, for JSON, traces and messages.

namespace revctl {
namespace detail {

template <class T>
T LoadAs(const void* value) {
  T out;
  std::memcpy(&out, value, sizeof out);
  return out;
}

/// Returns an integer of any kind as an int64_t. A U64 keeps its bits, so large values become
/// negative.
inline std::int64_t LoadInteger(Kind kind, const void* value) {
  switch (kind) {
    case Kind::Bool:
    case Kind::U8:
      return LoadAs<std::uint8_t>(value);
    case Kind::I8:
      return LoadAs<std::int8_t>(value);
    case Kind::I16:
      return LoadAs<std::int16_t>(value);
    case Kind::U16:
      return LoadAs<std::uint16_t>(value);
    case Kind::I32:
      return LoadAs<std::int32_t>(value);
    case Kind::U32:
      return LoadAs<std::uint32_t>(value);
    default:
      return LoadAs<std::int64_t>(value);
  }
}

template <class T, class Bits>
std::string FloatText(T value, Bits quiet) {
  if (value != value) {
    // Print the bits of unusual NaNs, so that no information is lost.
    Bits bits = LoadAs<Bits>(&value);
    if (bits == quiet) return "NaN";
    char hex[24] = "NaN:";
    auto end = std::to_chars(hex + 4, hex + sizeof hex, bits, 16).ptr;
    return std::string(hex, end);
  }
  if (value - value != 0) return value < 0 ? "-Infinity" : "Infinity";
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

/// Returns the length of the UTF-8 sequence at `at`, or 0 if it is invalid. Overlong forms and
/// surrogates are invalid.
inline std::size_t Utf8Length(std::string_view text, std::size_t at) {
  auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  auto more = [&](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF && more(1)) return 2;
  if (first >= 0xE0 && first <= 0xEF && more(1) && more(2)) {
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) >= 0xA0) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4 && more(1) && more(2) && more(3)) {
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) >= 0x90) return 0;
    return 4;
  }
  return 0;
}

inline bool IsUtf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = Utf8Length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

inline void AppendHex(std::string& out, unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  out += digits[byte >> 4];
  out += digits[byte & 15];
}

/// Returns a JSON string. Strings that are not UTF-8 or begin with NUL become `"\u0000hex:c328"`,
/// so that no information is lost.
inline std::string JsonString(std::string_view text) {
  std::string out = "\"";
  if (!IsUtf8(text) || (!text.empty() && text[0] == '\0')) {
    out += "\\u0000hex:";
    for (char c : text) AppendHex(out, static_cast<unsigned char>(c));
    return out += '"';
  }
  for (char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += "\\u00";
          AppendHex(out, static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out += '"';
}

}  // namespace detail

/// Returns a scalar as text: `-5`, `true`, `0.5` (the shortest form that reads back the same),
/// `NaN`, `-Infinity`, an enumerator's name, or the number of an enum value without a name.
inline std::string LeafText(const TypeInfo& type, const void* value) {
  switch (type.kind) {
    case Kind::F32:
      return detail::FloatText(detail::LoadAs<float>(value), std::uint32_t{0x7fc00000});
    case Kind::F64:
      return detail::FloatText(detail::LoadAs<double>(value), std::uint64_t{0x7ff8000000000000});
    case Kind::Bool:
      return detail::LoadAs<std::uint8_t>(value) != 0 ? "true" : "false";
    case Kind::U64:
      return std::to_string(detail::LoadAs<std::uint64_t>(value));
    case Kind::Enum: {
      std::int64_t number = detail::LoadInteger(type.underlying, value);
      if (const char* name = EnumeratorName(type.enumerators(), number)) return name;
      if (type.underlying == Kind::U64) return std::to_string(static_cast<std::uint64_t>(number));
      return std::to_string(number);
    }
    default:
      return std::to_string(detail::LoadInteger(type.kind, value));
  }
}

/// Returns a string as JSON, or a bitset as its bits, highest first: `"0101"`.
inline std::string BytesText(const TypeInfo& type, std::string_view bytes) {
  if (type.kind != Kind::Bitset) return detail::JsonString(bytes);
  std::string text = "\"";
  for (std::size_t i = type.count; i-- > 0;) {
    text += ((static_cast<unsigned char>(bytes[i / 8]) >> (i % 8)) & 1) != 0 ? '1' : '0';
  }
  return text += '"';
}

/// Returns the size of a block of numbers on the wire and the XXH64 of its bytes:
/// `524288-bytes-9f86d081884c7d65`.
inline std::string BlockText(std::span<const std::byte> wire) {
  std::string text = std::to_string(wire.size()) + "-bytes-";
  const std::uint64_t hash = Checksum(wire);
  for (int byte = 7; byte >= 0; --byte)
    detail::AppendHex(text, static_cast<unsigned char>(hash >> (8 * byte)));
  return text;
}

}  // namespace revctl
