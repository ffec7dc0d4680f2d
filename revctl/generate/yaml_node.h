#pragma once
#include <string>
#include <string_view>

#include "revctl/generate/source_text.h"

// What read_definition.cpp asks of a node of YAML. Included there alone; what is thrown here ends
// there.
namespace YAML {
class Node;
struct Mark;
}  // namespace YAML

namespace revctl::generate {

/// The fix of an error that wants another shape altogether.
inline constexpr std::string_view kPage = "docs/formats/definition.md shows one";

/// Thrown so that each accessor can give up at the place it read.
using Bad = BadText;

Position PlaceOf(const YAML::Mark& mark);
/// Of a character of a value. The mark of a quoted one is that of its quote.
Position PlaceIn(const YAML::Node& node, std::size_t at);
[[noreturn]] void Refuse(const YAML::Node& node, std::string message, std::string fix);

/// In quotes, and not longer than a message may be.
std::string Quoted(std::string_view text);

/// One line of text: what goes into generated code must not end a comment or a line of it.
std::string Scalar(const YAML::Node& node, std::string_view what);
/// Every key once, and only those that keys.h has for `section`.
void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section);
YAML::Node Sequence(const YAML::Node& map, const char* key);

}  // namespace revctl::generate
