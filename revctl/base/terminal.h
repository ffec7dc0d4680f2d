#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace revctl::base {

enum class Stream { In, Out, Errors };

bool IsTerminal(Stream stream);

/// Returns the width of a terminal in columns. Returns 80 if the width is unknown, and 0 if
/// `stream` is not a terminal.
std::size_t TerminalWidth(Stream stream);

/// True if output should be colored, because stdout is a terminal and NO_COLOR is unset or empty.
bool ColouredOutput();

/// Returns a progress text such as `10 of 40 goldens, 5 a second, 6 s left`, given the `seconds`
/// since the start. Omits the rate and the remaining time until the first item is done.
std::string HowFar(std::size_t done, std::size_t all, std::string_view what, double seconds);

/// Formats a duration in seconds for display: `90 s`, `12 min`.
std::string Duration(double seconds);

}  // namespace revctl::base
