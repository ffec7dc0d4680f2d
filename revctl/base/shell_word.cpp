#include "revctl/base/shell_word.h"

#include <algorithm>
#include <string_view>

#include "revctl/base/ascii.h"

namespace revctl::base {

std::string ShellWord(const std::string& text) {
  const auto plain = [](char c) {
    return IsWord(c) || std::string_view("./:=,@%+-").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), plain) ? text : ShellQuoted(text);
}

std::string ShellQuoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string ShellLine(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + ShellWord(word);
  return line;
}

}  // namespace revctl::base
