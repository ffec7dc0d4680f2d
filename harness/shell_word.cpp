#include "harness/shell_word.h"

#include <algorithm>
#include <string_view>

#include "harness/ascii.h"

namespace harness {

std::string ShellWord(const std::string& text) {
  const auto plain = [](char c) {
    return IsWordLetter(c) || std::string_view("./:=,@%+-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace harness
