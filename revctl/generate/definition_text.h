#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "revctl/generate/definition.h"

// The text and the YAML nodes of a definition file. Only read_definition.cpp includes it. The
// functions throw Bad, which ReadDefinition catches.
namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace revctl::generate {

/// The fix for a definition whose structure is wrong.
inline constexpr std::string_view kPage = "for an example, see docs/formats/definition.md";

/// Thrown by the functions below. Says why a definition is invalid, and where.
struct BadText {
  Position place;
  std::string message, fix;
};
using Bad = BadText;

Position PlaceOf(const YAML::Mark& mark);
/// Returns the place of a character of a value. A quoted value begins at its quote.
Position PlaceIn(const YAML::Node& node, std::size_t at);
[[noreturn]] void Refuse(const YAML::Node& node, std::string message, std::string fix);

/// Returns `text` in quotes for a message, shortened.
std::string Quoted(std::string_view text);

/// Returns a value of one line. Throws if it could, for example, end a generated comment.
std::string Scalar(const YAML::Node& node, std::string_view what);
/// Throws for duplicate keys and for keys that Keys() does not have for `section`.
void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section);
YAML::Node Sequence(const YAML::Node& map, const char* key);

/// Returns the first invalid byte: not UTF-8, a control character, or a mark that changes the
/// writing direction so that reviewers see different code than the compiler. Also rejects a second
/// document.
std::optional<BadText> WrongWithText(std::string_view text);

}  // namespace revctl::generate
