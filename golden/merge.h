#pragma once
#include <optional>
#include <string_view>

#include "golden/index.h"

namespace revctl::golden {

/// One file of the store where two lines of history meet; "" where a line has no such file.
struct Versions {
  std::string_view base, ours, theirs;
  std::optional<std::string_view> landed;  ///< the target's; nothing where it has none
};

enum class Kept { Ours, Theirs, Neither };

/// Which version stays, whole. A record and its payloads are merged one file at a time, without
/// sight of each other, and both must come from one side: so each is asked for what both of them
/// say, the hashes and sizes of the payloads. In this order:
///
/// - both sides have the same payloads: any record fits them. The landed one stays, else the one
/// with the greater number, which was recorded later in the line, else the greater text.
/// - one side has the payloads that have landed: it stays.
/// - one side has the payloads of the base: git takes those of the other side without asking.
/// - both are pending: the side with more payloads stays, since it protects more. Of as many, the
/// one with more bytes, else the one with the greater hashes.
///
/// A record of another revision is no version: git took a file that is gone and a new one for a
/// rename.
///
/// Neither, which is a conflict: two of these contradict each other, a version cannot be read, or
/// what is added or approved, which is named after its content, has not landed.
Kept Merge(const FileName& name, const Versions& versions);

}  // namespace revctl::golden
