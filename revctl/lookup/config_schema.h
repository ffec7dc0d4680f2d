#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/config/keys.h"

namespace revctl::commands {

/// JSON Schema (draft-07) of a file in YAML, from the table that its parser uses. It refuses
/// nothing that the parser takes.
std::string Schema(std::string_view title, const std::vector<config::Key>& keys);

}  // namespace revctl::commands
