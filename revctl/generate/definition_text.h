#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "revctl/generate/definition.h"

// Reads the text and the YAML nodes of a definition file. Only read_definition.cpp includes this
// header. The functions throw Bad, and CheckKeys() can also throw config::BadYaml. ReadDefinition
// catches both.
namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace revctl::generate {

/// The fix for a definition whose structure is wrong.
inline constexpr std::string_view kPage = "for an example, see docs/formats/definition.md";

/// Why and where a definition is invalid. Thrown by the functions below.
struct Bad {
  Position place;
  std::string message, fix;
};

Position PlaceOf(const YAML::Mark& mark);
/// Returns the place of the character at offset `at` in a scalar, not counting an opening quote.
Position PlaceIn(const YAML::Node& node, std::size_t at);
[[noreturn]] void Refuse(const YAML::Node& node, std::string message, std::string fix);

/// Returns `text` for a message, in quotes and shortened.
std::string Quoted(std::string_view text);

/// Returns a value that is a single line of text. Throws if, for example, the text could end a
/// generated comment early.
std::string Scalar(const YAML::Node& node, std::string_view what);
/// Throws for duplicate keys and for keys that Keys() does not list for `section`.
void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section);
YAML::Node Sequence(const YAML::Node& map, const char* key);

/// Returns an error for the first invalid byte: invalid UTF-8, a control character, or a mark that
/// changes the writing direction and could make reviewers see different code than the compiler.
/// Also rejects a second document.
std::optional<Bad> WrongWithText(std::string_view text);

}  // namespace revctl::generate
