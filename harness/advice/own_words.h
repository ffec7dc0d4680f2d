#pragma once
#include <string>

#include <revctl/harness.h>

#include "harness/advice/advice.h"

namespace revctl::harness {

// Fixes in the style of the program's own serializer, which OwnWords describes. If OwnWords lacks a
// template, the functions return prose instead of code.

/// Returns the last field of a path, such as `armour` for `units[].armour`.
std::string LastField(const std::string& path);

/// Returns a line such as `sw.DoEx(&mode, SSV_MODE, 0);`, which saves a member in files of
/// `revision` and later.
std::string AddFieldLine(const OwnWords& words, const std::string& field,
                         const std::string& revision, const std::string& fallback);
/// Returns the line that reads a removed member from files of revisions before `revision`. The user
/// must insert it at the member's old position. `type` is the C++ type of the member, or empty if
/// it is unknown.
std::string RemoveFieldLine(const OwnWords& words, const std::string& field,
                            const std::string& revision, const std::string& type);
/// Returns the line that sets a member when files of revisions before `revision` are read.
std::string UpgradeLineOf(const OwnWords& words, const std::string& field,
                          const std::string& revision, const std::string& value);
/// Returns the code or phrase that a fix uses for rejecting invalid input in a reader.
std::string RefuseWords(const OwnWords& words, bool own_streams);

/// Sets the fixes for a member of an Opaque type: a line for the program's serializer and a line
/// for the list of values.
void SayInOwnWords(const LayoutChange& change, const ChangePlace& place, Advice& advice);

}  // namespace revctl::harness
