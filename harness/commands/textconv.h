#pragma once
#include "harness/commands/session.h"

namespace revctl::harness {

/// Enables `git diff` to show payloads as text. If the golden folder is in a git work tree and has
/// no .gitattributes, writes that file. The file overrides attributes of outer folders such as
/// `*.golden binary`, which would hide all differences. Also prints the configuration that each
/// clone needs once, because git takes no commands from files of a repository.
Exit OfferTextconv(const Session& session);

}  // namespace revctl::harness
