#pragma once
#include <string>
#include <string_view>

#include <optional>
#include "revctl/generate/definition.h"

// The text and the YAML nodes of a definition file, as read_definition.cpp reads them. Accessors
// throw Bad, which ReadDefinition catches.
namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace revctl::generate {

/// The fix of an error that wants another shape altogether.
inline constexpr std::string_view kPage = "docs/formats/definition.md shows one";

/// Why a definition cannot be read, and where. Accessors throw it, so that each can give up at the
/// place it read.
struct BadText {
  Position place;
  std::string message, fix;
};
using Bad = BadText;

Position PlaceOf(const YAML::Mark& mark);
/// Of a character of a value. The mark of a quoted one is that of its quote.
Position PlaceIn(const YAML::Node& node, std::size_t at);
[[noreturn]] void Refuse(const YAML::Node& node, std::string message, std::string fix);

/// In quotes, and not longer than a message may be.
std::string Quoted(std::string_view text);

/// One line of text: what goes into generated code must not end a comment or a line of it.
std::string Scalar(const YAML::Node& node, std::string_view what);
/// Every key once, and only those that Keys() has for `section`.
void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section);
YAML::Node Sequence(const YAML::Node& map, const char* key);

/// The first byte that is no UTF-8, no text, or a mark that turns the direction of writing, so that
/// a reviewer sees other code than the compiler; the second of two documents in one file.
std::optional<BadText> WrongWithText(std::string_view text);

}  // namespace revctl::generate
