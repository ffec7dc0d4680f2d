#pragma once
#include <string>
#include <vector>

namespace revctl::base {

/// A word of a command that a person is to run, as a shell takes it: in quotes where it would be
/// taken for something else (`--type Reply<Code>` reads from a file). What steers a terminal, ends
/// a line or is no UTF-8 is written by `printf` in octal, so that the line stays one line; line
/// ends at the very end of `text` are lost then.
std::string ShellWord(const std::string& text);

/// The same for a path: one that begins with a dash is no option (`./-x`).
std::string ShellPath(const std::string& path);

/// A word, always in quotes.
std::string ShellQuoted(const std::string& text);

/// A program and its arguments, as one line for a shell.
std::string ShellLine(const std::vector<std::string>& words);

}  // namespace revctl::base
