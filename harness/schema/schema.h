#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>
#include <revctl/list_table.h>

#include "harness/history/history.h"
#include "harness/history/landed.h"
#include "harness/layout/layout_diff.h"
#include "harness/trace/registry.h"
#include "revctl/base/json.h"

namespace revctl::harness {

/// The layouts of a root type, and of everything that it reaches, at one revision.
struct Schema {
  std::map<std::string, TypeTrace> types;
  std::map<std::string, revctl::EnumLayout> enums;
};

/// Returns YAML with version, revision, number, lineage, types and enums; one field per line, in
/// wire order.
std::string SchemaText(const Schema& schema, const revctl::ListEntry& at);

/// Formats a field on one line: `{name: hp, type: i32, size: 4, since: SR_A}`.
std::string FieldText(const revctl::LayoutField& field);

/// Returns `{"version":1,"revision","number","lineage","types":[..],"enums":[..]}`.
base::Json SchemaJson(const Schema& schema, const revctl::ListEntry& at);

/// Returns the layouts that today's code visits at revision `number`, for root type `type`, or for
/// all if it is empty. Enums are as recorded at that revision, if they are. Samples are made from
/// `seed`.
Schema SchemaAt(const Registry& registry, const History& history, const std::string& type,
                std::int64_t number, std::uint64_t seed);

/// A line of the changelog of layouts.
struct SchemaChange {
  enum class Kind { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string type;   ///< record or enum
  std::string field;  ///< field or enumerator; empty if the type itself was added or removed
  std::string before, after;                      ///< from FieldText; empty if absent on that side
  std::string before_type = {}, after_type = {};  ///< wire types of a field: `i32`
};

/// Returns the layouts that the store has for the revision at `index` of the history, recorded
/// there or before. Runs no code of types.
Schema RecordedSchema(const History& history, std::size_t index);

/// Returns one line of Markdown for each layout change in the store by a revision that has not
/// landed: `Score.p1Score: i32 → i64 at SR_BIG`. Empty if there are none.
std::string UnlandedChanges(const History& history, const Landed& landed);

/// Returns the changes by type, in wire order.
std::vector<SchemaChange> CompareSchemas(const Schema& from, const Schema& to);

/// Formats one line per addition (`+ Score.{name: players, ...}`) or removal (`- ...`). A changed
/// field has both.
std::string ChangesText(const std::vector<SchemaChange>& changes);

/// Returns `[{"change":"added|removed|changed","type","field","before","after"}]`.
base::Json::List ChangesJson(const std::vector<SchemaChange>& changes);

}  // namespace revctl::harness
