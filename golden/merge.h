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

/// Returns which version to keep, never a mix. Git merges a record and its payloads as two separate
/// files, but both must come from the same side. So the choice depends only on data that both files
/// contain: the hashes and sizes of the payloads. The first rule that applies wins:
///
/// - If both sides have the same payloads, any record fits them: keep the landed version, else the
/// one with the greater number (recorded later in the list), else the greater text.
/// - If one side has the payloads that have landed, keep that side.
/// - If one side has the payloads of the base, keep the other side, as git would.
/// - Both sides are pending: keep the side with more payloads, which protects more, then the one
/// with more bytes, then the one with the greater hashes.
///
/// Never keeps a record of a different revision: git considers such a file if it mistakes a removed
/// and a new file for a rename.
///
/// Returns Neither, which means a conflict, if the second and the third rule contradict each other,
/// if a version cannot be parsed, or if both sides have added a file named after its content and
/// neither has landed.
Kept Merge(const FileName& name, const Versions& versions);

}  // namespace revctl::golden
