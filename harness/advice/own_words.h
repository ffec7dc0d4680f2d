#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/advice/advice.h"

namespace revctl::harness {

// Fixes in the syntax of the program's own serializer. If the program does not define that syntax,
// the functions describe the line in prose.

/// The path `units[].armour` refers to the member `armour` of each element of `units`.
std::string LastField(const std::string& path);

/// The line that saves a member since a revision: `sw.DoEx(&mode, SSV_MODE, 0);`.
std::string AddFieldLine(const OwnWords& words, const std::string& field,
                         const std::string& revision, const std::string& fallback);
/// The line that reads a member from files older than a revision, at its former place. `type`: C++
/// type of the member; may be empty.
std::string RemoveFieldLine(const OwnWords& words, const std::string& field,
                            const std::string& revision, const std::string& type);
/// The line that gives a member of files older than a revision its value.
std::string UpgradeLineOf(const OwnWords& words, const std::string& field,
                          const std::string& revision, const std::string& value);
/// How a reader rejects bytes.
std::string RefuseWords(const OwnWords& words, bool own_streams);

/// Sets `after` of an advice about a member of a type with own streams: the line of the serializer
/// and the line in the list of values.
void SayInOwnWords(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
