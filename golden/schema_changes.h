#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/visit/layout.h>

#include "golden/revision_record.h"

namespace revctl::golden {

/// The layouts of all records and enums at one revision, by type name.
struct Layouts {
  std::map<std::string, revctl::TypeLayout> types;
  std::map<std::string, revctl::EnumLayout> enums;
};

struct SchemaChange {
  enum class Kind { Added, Removed, Changed };
  Kind kind = Kind::Changed;
  std::string type;   ///< record or enum
  std::string field;  ///< field or enumerator; empty if the type itself was added or removed
  std::string before, after;                      ///< from FieldText; empty if absent on that side
  std::string before_type = {}, after_type = {};  ///< wire types of a field, such as `i32`
};

/// Formats a field on one line, for example `{name: hp, type: i32, size: 4, since: SR_A}`.
std::string FieldText(const revctl::LayoutField& field);

/// Returns the differences between two revisions by type, in wire order.
std::vector<SchemaChange> ChangesBetween(const Layouts& from, const Layouts& to);

/// Updates `layouts` with the types and enums in the record, and returns what changed.
std::vector<SchemaChange> ApplyRecord(const RevisionRecord& record, Layouts& layouts);

/// Returns one line of Markdown for each change: "- `Score.p1Score`: `i32` → `i64` at `SR_BIG`".
/// Leaves out the fields of new types.
std::string DescribeChanges(const std::vector<SchemaChange>& changes, std::string_view revision);

}  // namespace revctl::golden
