#pragma once
#include <string>
#include <vector>

namespace revctl::base {

/// Returns `text` as one word for a shell command that the user may paste. Quotes it if the shell
/// would read it differently (in `--type Reply<Code>`, the '<' would open a file). Control
/// characters, line breaks and invalid UTF-8 are written with `printf` in octal, so that the
/// command is a single line.
std::string ShellWord(const std::string& text);

/// Returns a path as a word for a shell command. Puts `./` before a leading dash, so that no
/// program takes the path for an option.
std::string ShellPath(const std::string& path);

/// Returns `text` quoted for the shell, even if it needs no quotes.
std::string ShellQuoted(const std::string& text);

std::string ShellLine(const std::vector<std::string>& words);

}  // namespace revctl::base
