#pragma once
#include <span>
#include <string>
#include <string_view>

#include "revctl/list/reading/revision_list.h"
#include "revctl/list/reading/source.h"

/// Classifies the entries of an evaluated enum, and determines the lines that belong to each entry.
namespace revctl::list::detail {

/// Returns the name of the entry that the initializer refers to, if the initializer is nothing but
/// a name: `SR_FOO`, `Revision::SR_FOO`, `(SR_FOO)`, `static_cast<int>(SR_FOO)`. Otherwise returns
/// "".
std::string NamedEntry(std::span<const Token> initializer, const std::string& enum_name);

/// Returns `SENTINEL` if the initializer is `SENTINEL - 1`, otherwise "".
std::string OneBelowEntry(std::span<const Token> initializer, const std::string& enum_name);

void AssignKinds(RevisionList& list, const ListConfig& config);

/// True if `name` is a common name for an alias of the latest revision: `CURRENT`, `SR_LATEST`,
/// `LatestVersion`.
bool IsCurrentName(std::string_view name);

/// True if `name` is a common name for an alias of the oldest readable revision: `MINIMAL`,
/// `SR_OLDEST`, `kVersion_LowestSupported`.
bool IsOldestName(std::string_view name);

/// True if `name` matches one of the globs in `aliases` of the config (see base::GlobMatches).
bool IsAliasName(std::string_view name, const ListConfig& config);

/// Sets the trailing comment and the lines of each entry. The lines include the comment lines
/// directly above the entry, and the comment lines below it that are aligned with its trailing
/// comment. If an entry shares its line with others, only the text from its name to its comma
/// belongs to it.
void AssignLines(RevisionList& list, const LineTable& lines);

}  // namespace revctl::list::detail
