#pragma once
#include <string>

namespace revctl::golden {

/// A word of a command that a person is to run, as a shell takes it: in quotes where it would be
/// taken for something else (`--type Reply<Code>` reads from a file).
std::string ShellWord(const std::string& text);

}  // namespace revctl::golden
