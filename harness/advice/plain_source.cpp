// ReadPlainItem of plain_list.h: what FIELD and DEAD say beyond what reaches the program.
#include <algorithm>
#include <sstream>

#include "harness/advice/plain_list.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kLargestPlainSource = 8U << 20;
/// A macro over several lines is at its last one for one compiler, at its first for another.
constexpr std::size_t kMostLines = 8;

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n\r"),
                    end = text.find_last_not_of(" \t\n\r");
  return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
}

/// The arguments behind `open`, an opening bracket, and where they end; none where they do not.
std::vector<std::string> Arguments(const std::string& text, std::size_t open, std::size_t& end) {
  std::vector<std::string> arguments(1);
  int depth = 0;
  for (end = open; end < text.size(); ++end) {
    const char c = text[end];
    const bool opens = c == '(' || c == '[' || c == '{', closes = c == ')' || c == ']' || c == '}';
    if (closes && --depth == 0) {
      for (std::string& argument : arguments) argument = Trimmed(argument);
      return arguments;
    }
    if (opens && depth++ == 0) continue;
    if (c == ',' && depth == 1) {
      arguments.emplace_back();
    } else {
      arguments.back() += c;
    }
  }
  return {};
}

/// What `text` says from `at` on, where `word` with its bracket stands, if that is the declaration
/// of `item.field`.
bool Declares(const std::string& text, std::size_t at, const std::string& word, PlainItem& item) {
  std::size_t end = 0;
  const std::vector<std::string> arguments = Arguments(text, at + word.size() - 1, end);
  if (arguments.size() < 3) return false;  // not one of these macros as they are meant to be
  // Before the name stands the type, which may hold commas: the name is counted from behind.
  const std::size_t behind = word == "FIELD(" ? 1 : word == "DEAD(" ? 2 : arguments.size() - 2;
  if (arguments.size() < behind + 2) return false;
  const std::size_t name = arguments.size() - 1 - behind;
  if (arguments[name] != item.field.name || arguments[name + 1] != item.field.since) return false;
  for (std::size_t i = 0; i < name; ++i) item.type += (i == 0 ? "" : ", ") + arguments[i];
  const std::size_t semicolon = text.find(';', end);
  if (word == "FIELD(" && semicolon != std::string::npos)
    item.value = Trimmed(text.substr(end + 1, semicolon - end - 1));
  return true;
}

}  // namespace

PlainItem ReadPlainItem(const revctl::LayoutField& field, const std::string& file) {
  PlainItem item{field, "", ""};
  if (field.line <= 0) return item;
  const auto source = base::ReadFile(file, kLargestPlainSource);
  if (!source || !*source) return item;
  std::istringstream all(**source);
  std::vector<std::string> lines;
  const std::size_t at = static_cast<std::size_t>(field.line) - 1;
  for (std::string line; lines.size() <= at + kMostLines && std::getline(all, line);)
    lines.push_back(line + "\n");
  if (at >= lines.size()) return item;
  for (std::size_t back = 0; back <= std::min(at, kMostLines); ++back) {
    std::string text;
    for (std::size_t i = at - back; i < std::min(lines.size(), at + kMostLines); ++i)
      text += lines[i];
    const std::size_t first = lines[at - back].size();
    for (const std::string word : {"FIELD(", "DEAD(", "DEAD_WITH("}) {
      for (std::size_t found = text.find(word); found < first; found = text.find(word, found + 1)) {
        const bool begins = found == 0 || !base::IsWord(text[found - 1]) ||
                            text.substr(0, found).ends_with("REVCTL_");
        if (begins && Declares(text, found, word, item)) return item;
      }
    }
  }
  return item;
}

}  // namespace revctl::harness
