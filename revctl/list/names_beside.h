#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/revision_list.h"

namespace revctl::list {

/// Of `names`, those that the list's file declares besides its enum, so that an entry of that name
/// would not compile; with the line. Any scope's macros count; for an unscoped enum, what stands in
/// its own scope, too. What a condition decides that the file does not counts: some build has it.
/// Other headers are not read.
std::map<std::string, int> DeclaredBeside(const RevisionList& list,
                                          const std::set<std::string>& names);

/// The same of `header`, which the list's file includes outside of every scope. Empty where revctl
/// cannot read it.
std::map<std::string, int> DeclaredIn(std::string_view header, const RevisionList& list,
                                      const std::set<std::string>& names);

/// What stands in the quotes of each `#include "..."` that some build compiles.
std::vector<std::string> QuotedIncludes(std::string_view text);

}  // namespace revctl::list
