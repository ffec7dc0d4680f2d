#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "revctl/generate/definition.h"

// What a definition file must be before it is read as YAML.
namespace revctl::generate {

struct BadText {
  Position place;
  std::string message, fix;
};

/// The first byte that is no UTF-8, no text, or a mark that turns the direction of writing, so that
/// a reviewer sees other code than the compiler; the second of two documents in one file.
std::optional<BadText> WrongWithText(std::string_view text);

}  // namespace revctl::generate
