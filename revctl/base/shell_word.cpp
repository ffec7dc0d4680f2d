#include "revctl/base/shell_word.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "revctl/base/ascii.h"
#include "revctl/base/unicode.h"

namespace revctl::base {
namespace {

/// True if the character at `at` could get lost or change when the text is printed to a terminal or
/// pasted.
bool IsUnseen(const std::string& text, std::size_t at, const std::optional<Character>& character) {
  return !character || Steers(character->code) || text[at] == '\n' || text[at] == '\t';
}

bool HasUnseen(const std::string& text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto character = CharacterAt(text, i);
    if (IsUnseen(text, i, character)) return true;
    i += character->length;
  }
  return false;
}

std::string ByPrintf(std::string text) {
  std::string format, ends;
  // Append each trailing line feed as `${IFS#??}`, the last character of IFS, because $(...) drops
  // trailing line feeds.
  while (text.ends_with('\n')) {
    text.pop_back();
    ends += "${IFS#??}";
  }
  for (std::size_t i = 0; i < text.size();) {
    const auto character = CharacterAt(text, i);
    const std::size_t length = character ? character->length : 1;
    const bool special = text[i] == '\\' || text[i] == '\'' || (i == 0 && text[i] == '-');
    if (special || IsUnseen(text, i, character)) {
      for (const char c : text.substr(i, length)) {
        const auto byte = static_cast<unsigned char>(c);
        format += {'\\', static_cast<char>('0' + (byte >> 6)),
                   static_cast<char>('0' + (byte >> 3 & 7)), static_cast<char>('0' + (byte & 7))};
      }
    } else {
      format += text[i] == '%' ? "%%" : text.substr(i, length);
    }
    i += length;
  }
  return "\"$(printf " + ShellQuoted(format) + ")" + ends + "\"";
}

}  // namespace

std::string ShellWord(const std::string& text) {
  const auto plain = [](char c) {
    return IsWord(c) || std::string_view("./:=,@%+-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), plain)) return text;
  return HasUnseen(text) ? ByPrintf(text) : ShellQuoted(text);
}

std::string ShellPath(const std::string& path) {
  return ShellWord((path.starts_with('-') ? "./" : "") + path);
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
