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

/// Returns the version to keep, as a whole. Git merges a record and its payloads one file at a
/// time, but both must come from the same side. So the choice depends only on data that both files
/// have: the hashes and sizes of the payloads. The first rule that applies wins:
///
/// - Both sides have the same payloads, so any record fits them: keep the landed version, else the
/// one with the greater number (recorded later in the list), else the greater text.
/// - One side has the payloads that have landed: keep it.
/// - One side has the payloads of the base: keep the other side, as git would.
/// - Both sides are pending: keep the side with more payloads, which protects more, then the one
/// with more bytes, then the one with the greater hashes.
///
/// A record of another revision is never kept, because git mistook a removed and a new file for a
/// rename.
///
/// Returns Neither, a conflict, if two of these rules contradict each other, a version cannot be
/// parsed, or both sides added a file named after its content that has not landed.
Kept Merge(const FileName& name, const Versions& versions);

}  // namespace revctl::golden
