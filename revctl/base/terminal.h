#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace revctl::base {

enum class Stream { In, Out, Errors };

bool IsTerminal(Stream stream);

/// Columns of the terminal at `stream`; 80 where it does not say, 0 where it is no terminal.
std::size_t TerminalWidth(Stream stream);

/// Results are coloured: stdout is a terminal, and NO_COLOR is not set or empty.
bool ColouredOutput();

/// `10 of 40 goldens, 5 a second, 6 s left`: how far a count of `what` is, `seconds` after its
/// begin. Before the first is done, nothing says how long the others take.
std::string HowFar(std::size_t done, std::size_t all, std::string_view what, double seconds);

/// `90 s`, `12 min`: seconds as a person reads them.
std::string Duration(double seconds);

}  // namespace revctl::base
