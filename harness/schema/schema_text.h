#pragma once
#include <map>
#include <string>

#include <revctl/detail/visit/layout.h>
#include <revctl/list_table.h>

#include "harness/layout/layout_diff.h"
#include "revctl/base/json.h"

namespace revctl::harness {

/// What a root type and everything it reaches looks like at one revision.
struct Schema {
  std::map<std::string, TypeTrace> types;
  std::map<std::string, revctl::EnumLayout> enums;
};

/// As YAML, fields one a line in wire order: version, revision, number, lineage, types, enums.
std::string SchemaText(const Schema& schema, const revctl::ListEntry& at);

/// A field on one line, as the schema and the changelog of layouts have it: `{name: hp, type: i32,
/// size: 4, since: SR_A}`.
std::string FieldText(const revctl::LayoutField& field);

/// The same schema: `{"version":1,"revision","number","lineage","types":[..],"enums":[..]}`.
base::Json SchemaJson(const Schema& schema, const revctl::ListEntry& at);

}  // namespace revctl::harness
