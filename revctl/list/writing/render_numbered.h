#pragma once
#include <string>

#include "revctl/list/writing/body.h"

namespace revctl::list::detail {

/// Renders `body` so that every revision evaluates to its `number`. Adds an explicit number only if
/// an entry's position implies a different number. Parses the result again. Returns an Error if the
/// numbers cannot be achieved, for example because a name occurs twice or a conditional hides an
/// entry.
base::Result<std::string> RenderNumbered(Body& body, const ListConfig& config,
                                         const std::string& path);

/// Makes the entry called `current` refer to the newest revision. The entry keeps its form: a name
/// stays a name, and a number stays a number. An entry that is `COUNT - 1` needs no change.
void MoveCurrent(Body& body, const std::string& current);

}  // namespace revctl::list::detail
