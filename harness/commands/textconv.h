#pragma once
#include "harness/commands/session.h"

namespace revctl::harness {

/// Lets `git diff` show payloads as text. Writes a .gitattributes if the golden folder is in a git
/// work tree and has none. This file overrides attributes of outer folders, such as `*.golden
/// binary`, which would hide all differences. Also prints the configuration that each clone needs
/// once, because git does not run commands that files in a repository define.
Exit OfferTextconv(const Session& session);

}  // namespace revctl::harness
