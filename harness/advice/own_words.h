#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/advice/advice.h"

namespace revctl::harness {

// Fixes in the style of the program's own serializer, given as OwnWords. Without them, the
// functions describe the line in prose.

/// Returns the last field of a path. The path `units[].armour` refers to the member `armour` of
/// each element of `units`.
std::string LastField(const std::string& path);

/// Returns the line that saves a member since a revision, such as `sw.DoEx(&mode, SSV_MODE, 0);`.
std::string AddFieldLine(const OwnWords& words, const std::string& field,
                         const std::string& revision, const std::string& fallback);
/// Returns the line that reads a removed member from files older than a revision. The line belongs
/// at the member's old position. `type` is the C++ type of the member; may be empty.
std::string RemoveFieldLine(const OwnWords& words, const std::string& field,
                            const std::string& revision, const std::string& type);
/// Returns the line that gives a member a value in files older than a revision.
std::string UpgradeLineOf(const OwnWords& words, const std::string& field,
                          const std::string& revision, const std::string& value);
/// Returns how a reader rejects bytes.
std::string RefuseWords(const OwnWords& words, bool own_streams);

/// Sets `after` of an advice about a member of a type with own streams: the line of the serializer
/// and the line in the list of values.
void SayInOwnWords(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
