#pragma once
#include <map>
#include <string>

#include "harness/layout_diff.h"
#include "revctl/layout.h"

namespace harness {

/// What a root type and everything it reaches looks like at one revision.
struct Schema {
  std::map<std::string, TypeTrace> types;
  std::map<std::string, revctl::EnumLayout> enums;
};

/// As YAML, fields one a line in wire order.
std::string SchemaText(const Schema& schema);

/// What changed from one to the other, one line each, as a changelog has it. Empty where nothing
/// did.
std::string SchemaChanges(const Schema& from, const Schema& to);

}  // namespace harness
