#pragma once
#include <string>
#include <vector>

namespace revctl::base {

/// A word of a command that a person is to run, as a shell takes it: in quotes where it would be
/// taken for something else (`--type Reply<Code>` reads from a file).
std::string ShellWord(const std::string& text);

/// The same, always in quotes.
std::string ShellQuoted(const std::string& text);

/// A program and its arguments, as one line for a shell.
std::string ShellLine(const std::vector<std::string>& words);

}  // namespace revctl::base
