#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/advice/advice.h"

namespace revctl::harness {

// Fixes in the style of the program's own serializer, which OwnWords describes. Without OwnWords,
// the functions return the line as prose.

/// Returns the last field of a path. For `units[].armour`, this is the member `armour` of each
/// element of `units`.
std::string LastField(const std::string& path);

/// Returns the line that saves a member from a revision on, such as `sw.DoEx(&mode, SSV_MODE, 0);`.
std::string AddFieldLine(const OwnWords& words, const std::string& field,
                         const std::string& revision, const std::string& fallback);
/// Returns the line that reads a removed member from files that are older than a revision. The user
/// must insert it at the member's old position. `type` is the C++ type of the member, or empty if
/// it is unknown.
std::string RemoveFieldLine(const OwnWords& words, const std::string& field,
                            const std::string& revision, const std::string& type);
/// Returns the line that sets a member when reading files that are older than a revision.
std::string UpgradeLineOf(const OwnWords& words, const std::string& field,
                          const std::string& revision, const std::string& value);
/// Returns a description of how a reader should reject bytes.
std::string RefuseWords(const OwnWords& words, bool own_streams);

/// Sets `after` of an advice about a member of a type with its own streams. The advice contains a
/// line for the serializer and a line for the list of values.
void SayInOwnWords(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
