#pragma once
#include <cstddef>

namespace revctl::base {

enum class Stream { In, Out, Errors };

bool IsTerminal(Stream stream);

/// Columns of the terminal at `stream`; 80 where it does not say, 0 where it is no terminal.
std::size_t TerminalWidth(Stream stream);

/// Results are coloured: stdout is a terminal, and NO_COLOR is not set or empty.
bool ColouredOutput();

}  // namespace revctl::base
