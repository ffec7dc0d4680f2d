#pragma once
#include <span>
#include <string>
#include <string_view>

#include "revctl/list/revision_list.h"
#include "revctl/list/source.h"

namespace revctl::list::detail {

/// The name that an initializer consists of: `SR_FOO`, `Revision::SR_FOO`, `(SR_FOO)`,
/// `static_cast<int>(SR_FOO)`; else empty.
std::string NamedEntry(std::span<const Token> initializer, const std::string& enum_name);

/// `SENTINEL` of `SENTINEL - 1`; else empty.
std::string OneBelowEntry(std::span<const Token> initializer, const std::string& enum_name);

/// Says of each entry whether it is a revision, a name for something else, or the sentinel that
/// only counts.
void AssignKinds(RevisionList& list, const ListConfig& config);

/// True for `MINIMAL`, `SR_OLDEST`, `kVersion_LowestSupported`: what lists call the name that
/// follows the oldest readable revision.
bool IsOldestName(std::string_view name);

/// `RELEASE_*` and `?` as in a shell; everything else stands for itself.
bool MatchesGlob(std::string_view name, std::string_view pattern);

}  // namespace revctl::list::detail
