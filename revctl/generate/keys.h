#pragma once
#include "revctl/config/keys.h"

namespace revctl::generate {

/// All keys of a definition file (docs/formats/definition.md).
const std::vector<config::Key>& Keys();

}  // namespace revctl::generate
