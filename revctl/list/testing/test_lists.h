#pragma once
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list::testing {

// Scale tests down in sanitizer builds, which are forty times slower. A tenth of the input finds
// the same errors.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t kShare = 10;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::size_t kShare = 10;
#else
constexpr std::size_t kShare = 1;
#endif
#else
constexpr std::size_t kShare = 1;
#endif
constexpr std::size_t Many(std::size_t count) { return count / kShare; }

/// Returns the list's entries on one line: `SR_A=1 SR_B=2 [CURRENT=2] (MAX=3)`, with aliases in
/// brackets and the sentinel in parentheses.
inline std::string Summary(const RevisionList& list) {
  std::string out;
  for (const Entry& entry : list.entries) {
    std::string one = entry.name + "=" + std::to_string(entry.number);
    if (entry.kind == EntryKind::Alias) one = "[" + one + "]";
    if (entry.kind == EntryKind::Sentinel) one = "(" + one + ")";
    out += (out.empty() ? "" : " ") + one;
  }
  return out;
}

inline RevisionList Parsed(std::string_view text, const ListConfig& config = {}) {
  auto list = Parse(text, config, "list.h");
  if (!list) FAIL(ErrorText(list.error()) << "\n" << text);
  return *list;
}

inline std::string Summary(std::string_view text, const ListConfig& config = {}) {
  return Summary(Parsed(text, config));
}

/// Returns the content of a file in testdata/.
std::string Fixture(const std::string& name);

/// A fixture with its config and its number of entries. Tests check the number so that a fixture
/// cannot shrink unnoticed.
struct Dialect {
  std::string file;
  ListConfig config;
  std::size_t entries = 0;
};
const std::vector<Dialect>& Dialects();

/// Returns C++ code that compiles only if revctl found all entries of `list`, with the right
/// values. The code must come after the list. `outer` is a namespace around the list, such as
/// `::merged`, or "".
std::string Assertions(const RevisionList& list, const std::string& outer);

/// False in a cross build, where tests cannot run a compiler.
bool HasCompiler();
/// Returns the errors that the compiler reports for a program, or "" if it reports none or there is
/// no compiler.
std::string CompilerSays(const std::string& program);

/// Returns the lines that an edit changed: removed lines with `-` and added lines with `+`.
/// Carriage returns are shown as `^M`.
inline std::string LineDiff(std::string_view before, std::string_view after) {
  const auto lines = [](std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      std::string line(text.substr(0, end));
      if (const std::size_t carriage = line.find('\r'); carriage != line.npos)
        line.replace(carriage, 1, "^M");
      if (line.back() != '\n') line += "(no newline)\n";
      out.push_back(line);
      text.remove_prefix(end);
    }
    return out;
  };
  auto old_lines = lines(before), new_lines = lines(after);
  while (!old_lines.empty() && !new_lines.empty() && old_lines.back() == new_lines.back()) {
    old_lines.pop_back();
    new_lines.pop_back();
  }
  std::size_t same = 0;
  while (same < old_lines.size() && same < new_lines.size() && old_lines[same] == new_lines[same])
    ++same;
  std::string out;
  for (std::size_t i = same; i < old_lines.size(); ++i) out += "-" + old_lines[i];
  for (std::size_t i = same; i < new_lines.size(); ++i) out += "+" + new_lines[i];
  return out;
}

}  // namespace revctl::list::testing
