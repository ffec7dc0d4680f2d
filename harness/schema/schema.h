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

/// Returns YAML with version, revision, number, lineage, types and enums. Each field is on its own
/// line, in wire order.
std::string SchemaText(const Schema& schema, const revctl::ListEntry& at);

/// Returns `{"version":1,"revision","number","lineage","types":[..],"enums":[..]}`.
base::Json SchemaJson(const Schema& schema, const revctl::ListEntry& at);

/// Returns the layouts that the current code visits at revision `number`. They are those of the
/// root type `type` or, if `type` is empty, of all root types. Prefers the enums recorded at this
/// revision. `seed` is for the samples.
Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed);

using golden::SchemaChange;

/// Returns the changes in the record of revision `index`. Empty if there is no record.
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
