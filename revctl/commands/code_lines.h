#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace revctl::commands {

/// Lines of sources as git grep prints them, read without a compiler: what gates on a revision, and what no longer can.
struct CodeLine {
  std::string path, text;
  int line = 0;
};

/// "path:line:text"; a path with a ':' in it is told by the number that must follow.
std::optional<CodeLine> ParseCodeLine(const std::string& line);

/// A file of C or C++, by its name.
bool IsSource(const std::string& path);

bool IsWord(char c);
/// `name` stands in `code`, and not as a part of a longer one.
bool HoldsWord(std::string_view code, std::string_view name);

/// A line without what stands behind `//` and without strings, so that prose is not taken for code.
std::string CodeOf(const std::string& text);

/// `code` asks for files older than `revision`, or carries a field of such files: `r.revision < SR_X`, `SR_X > r.revision`,
/// `REM(SR_A, SR_X, ...)`. Where no older file is read any more, nothing ever comes there.
bool OnlyForOlder(std::string_view code, std::string_view revision);

}  // namespace revctl::commands
