#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>
#include <revctl/list_table.h>

#include "golden/schema_changes.h"
#include "harness/history/history.h"
#include "harness/history/landed.h"
#include "harness/layout/layout_diff.h"
#include "harness/trace/registry.h"
#include "revctl/base/json.h"

namespace revctl::harness {

/// The layouts of a root type and all types inside it at one revision.
struct Schema {
  std::map<std::string, TypeTrace> types;
  std::map<std::string, revctl::EnumLayout> enums;
};

/// Returns YAML with the keys version, revision, number, lineage, types and enums. Each field has
/// its own line, in wire order.
std::string SchemaText(const Schema& schema, const revctl::ListEntry& at);

/// Returns `{"version":1,"revision","number","lineage","types":[..],"enums":[..]}`.
base::Json SchemaJson(const Schema& schema, const revctl::ListEntry& at);

/// Returns the layouts that the current code visits at revision `number`: those of the root type
/// `type`, or those of all root types if `type` is empty. Enums recorded at this revision replace
/// the current ones. `seed` determines the samples used for the visits.
Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed);

using golden::SchemaChange;

/// Returns the changes recorded at the revision with this index, or none if it has no record.
std::vector<SchemaChange> RecordedChanges(const History& history, std::size_t index);

/// Returns a line of Markdown for each recorded layout change of a pending revision, such as "-
/// `Score.p1Score`: `i32` → `i64` at `SR_BIG`".
std::string UnlandedChanges(const History& history, const Landed& landed);

/// Returns the changes from `from` to `to` by type, in wire order.
std::vector<SchemaChange> CompareSchemas(const Schema& from, const Schema& to);

/// Formats each addition (`+ Score.{name: players, ...}`) and each removal (`- ...`) as a line. A
/// changed field yields both.
std::string ChangesText(const std::vector<SchemaChange>& changes);

/// Returns `[{"change":"added|removed|changed","type","field","before","after"}]`.
base::Json::List ChangesJson(const std::vector<SchemaChange>& changes);

}  // namespace revctl::harness
