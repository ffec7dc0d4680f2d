#pragma once
#include "harness/commands/session.h"

namespace revctl::harness {

/// Lets `git diff` show payloads as text. Writes a .gitattributes into the golden folder, if that
/// is in a git work tree and has none. It overrides attributes of outer folders, such as `*.golden
/// binary`, with which `git diff` shows no values. Also prints the configuration that is needed
/// once per clone, because git accepts no commands from files of a repository.
Exit OfferTextconv(const Session& session);

}  // namespace revctl::harness
