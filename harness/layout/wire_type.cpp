#include "harness/layout/wire_type.h"

#include <array>
#include <utility>

#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 20> kWords = {{
    {"i8", "int8_t"},
    {"i16", "int16_t"},
    {"i32", "int32_t"},
    {"i64", "int64_t"},
    {"u8", "uint8_t"},
    {"u16", "uint16_t"},
    {"u32", "uint32_t"},
    {"u64", "uint64_t"},
    {"f32", "float"},
    {"f64", "double"},
    {"string", "std::string"},
    {"vector", "std::vector"},
    {"array", "std::array"},
    {"optional", "std::optional"},
    {"map", "std::map"},
    {"set", "std::set"},
    {"tuple", "std::tuple"},
    {"variant", "std::variant"},
    {"unique_ptr", "std::unique_ptr"},
    {"aligned", "revctl::Aligned"},
}};

/// `game::Mood` is one word.
bool IsNameLetter(char c) { return base::IsWord(c) || c == ':'; }

}  // namespace

bool IsNumber(std::string_view wire) {
  return wire.size() >= 2 && wire.size() <= 3 && base::IsDigit(wire[1]) &&
         (wire[0] == 'i' || wire[0] == 'u' || wire[0] == 'f');
}

std::string CppType(std::string_view wire) {
  std::string out;
  for (std::size_t i = 0; i < wire.size();) {
    if (!IsNameLetter(wire[i])) {
      out += wire[i] == ',' ? ", " : std::string(1, wire[i]);
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < wire.size() && IsNameLetter(wire[end])) ++end;
    std::string_view word = wire.substr(i, end - i);
    for (const auto& [name, spelled] : kWords) {
      if (word == name) {
        word = spelled;
        break;
      }
    }
    out += word == "bitset" || word == "pair" ? "std::" + std::string(word) : std::string(word);
    i = end;
  }
  return out;
}

std::string_view Outermost(std::string_view wire) { return wire.substr(0, wire.find('<')); }

bool IsContainer(std::string_view wire) {
  const std::string_view name = Outermost(wire);
  for (std::string_view container : {"vector", "array", "optional", "map", "set", "pair", "tuple",
                                     "variant", "unique_ptr", "bitset", "string", "aligned"}) {
    if (name == container) return true;
  }
  return false;
}

}  // namespace revctl::harness
