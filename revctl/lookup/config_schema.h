#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/config/keys.h"

namespace revctl::commands {

/// Returns the JSON Schema (draft-07) of a YAML file, generated from the table of keys that the
/// file's parser uses. The schema accepts everything that the parser accepts.
std::string Schema(std::string_view title, const std::vector<config::Key>& keys);

}  // namespace revctl::commands
