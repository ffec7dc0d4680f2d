#pragma once
#include <optional>
#include <string_view>

#include "golden/index.h"

namespace revctl::golden {

/// The versions of one store file in a three-way merge; "" if a side lacks the file.
struct Versions {
  std::string_view base, ours, theirs;
  std::optional<std::string_view> landed;  ///< the target's version; nullopt if it lacks the file
};

enum class Kept { Ours, Theirs, Neither };

/// Returns the side to keep. Git merges a record and its payloads as two separate files, but both
/// must come from the same side. Therefore, the choice depends only on data that both files
/// contain: the hashes and sizes of the payloads. The first rule that applies wins:
///
/// - If both sides have the same payloads, either record fits them. Keep the landed version, or
/// else the record with the greater revision number, or else the greater text.
/// - If one side has the landed payloads, keep that side.
/// - If one side has the base's payloads, keep the other side, as git would.
/// - Otherwise, both sides are pending. Keep the side with more payloads, because it protects more,
/// or else with more bytes, or else with the greater hashes.
///
/// Never keeps a record of a different revision. Git passes such a file to the merge driver if it
/// mistakes a deleted and a new file for a rename.
///
/// Returns Neither, which means a conflict, if the second and third rules contradict each other, if
/// a version cannot be parsed, or if both sides have added a file that is named after its content
/// and neither has landed.
Kept Merge(const FileName& name, const Versions& versions);

}  // namespace revctl::golden
