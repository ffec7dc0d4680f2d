#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::commands {

/// Lines of files as git grep prints them.
struct CodeLine {
  std::string path, text;
  int line = 0;
};

/// "path:line:text"; a path with a ':' in it is told by the number that must follow.
std::optional<CodeLine> ParseCodeLine(const std::string& line);

/// A file of C or C++, by its name.
bool IsSource(const std::string& path);

/// `name` stands in `code`, and not as a part of a longer one.
bool HoldsWord(std::string_view code, std::string_view name);

}  // namespace revctl::commands
