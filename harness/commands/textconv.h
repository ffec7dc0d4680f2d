#pragma once
#include "harness/commands/session.h"

namespace revctl::harness {

/// Lets `git diff` show payloads as text: attributes beside them, where the golden folder lies in a
/// git work tree and has none of its own. They count above those of outer folders, of which
/// `*.golden binary` shows nothing. Says what each clone has to configure once, since git takes no
/// commands from files of a repository.
Exit OfferTextconv(const Session& session);

}  // namespace revctl::harness
