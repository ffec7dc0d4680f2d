#pragma once
#include <map>
#include <set>
#include <string>

#include "revctl/list/revision_list.h"

namespace revctl::list {

/// Of `names`, those that the list's file declares besides its enum, so that an entry of that name
/// would not compile; with the line. Any scope's macros count; for an unscoped enum, what stands in
/// its own scope, too. Other headers are not read.
std::map<std::string, int> DeclaredBeside(const RevisionList& list,
                                          const std::set<std::string>& names);

}  // namespace revctl::list
