#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>
#include <revctl/list_table.h>

#include "harness/history/history.h"
#include "harness/layout/layout_diff.h"
#include "harness/trace/registry.h"
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

/// What today's code visits at revision `number`, for `type` alone or, where it is empty, for all
/// roots; enums as they were recorded at that revision, where they were. The samples are made from
/// `seed`.
Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed);

/// One line of the changelog of layouts.
struct SchemaChange {
  enum class Kind { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string type;           ///< record or enum
  std::string field;          ///< or enumerator; empty where the type itself comes or goes
  std::string before, after;  ///< as FieldText has them; empty where that side has nothing
};

/// What changed from one to the other, by type, in wire order.
std::vector<SchemaChange> CompareSchemas(const Schema& from, const Schema& to);

/// `+ Score.{name: players, ...}`, `- ...`, one line each; what only changed is a `-` and a `+`.
std::string ChangesText(const std::vector<SchemaChange>& changes);

/// `[{"change":"added|removed|changed","type","field","before","after"}]`
base::Json::List ChangesJson(const std::vector<SchemaChange>& changes);

}  // namespace revctl::harness
