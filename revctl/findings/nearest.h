#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace revctl::findings {

/// Returns the known word that was probably meant, or "" if none is close. Ignores case. Counts two
/// swapped letters as one mistake.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

/// Returns "; did you mean reserve?", or "" if no known word is close.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& known);

}  // namespace revctl::findings
