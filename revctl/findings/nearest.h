#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace revctl::findings {

/// The known word that `word` was probably meant to be; empty where none is near. Case does not
/// count; two letters that changed places count as one slip.
std::string Nearest(std::string_view word, const std::vector<std::string>& known);

/// "; did you mean reserve?", or nothing.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& known);

}  // namespace revctl::findings
