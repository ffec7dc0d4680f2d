#pragma once
#include <string>
#include <string_view>

#include "revctl/generate/definition.h"

namespace revctl::generate {

/// The header: structs, their older versions, the maps between these, bodies, tables of fields,
/// files. The same text for the same definition. `path` names the definition in a comment.
std::string WriteCpp(const Definition& definition, std::string_view path);

}  // namespace revctl::generate
