#pragma once
#include <string>

#include "revctl/list/writing/body.h"

namespace revctl::list::detail {

/// Renders `body` such that every revision in it evaluates to its `number`: an entry whose place
/// does not yield it is given its number in writing, all others stay as they are. The result has
/// been parsed again; an Error says what could not be brought about (a name twice, a conditional
/// that hides an entry).
base::Result<std::string> RenderNumbered(Body& body, const ListConfig& config,
                                         const std::string& path);

/// Points the entry called `current` (empty: none) at the newest revision, in the way it was
/// written: by name, by number; `COUNT - 1` follows by itself.
void MoveCurrent(Body& body, const std::string& current);

/// Name of the list's CURRENT; empty where it keeps none.
std::string CurrentName(const RevisionList& list, const ListConfig& config);

}  // namespace revctl::list::detail
