#pragma once
#include <string>
#include <vector>

#include "harness/schema/schema_text.h"

namespace revctl::harness {

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
