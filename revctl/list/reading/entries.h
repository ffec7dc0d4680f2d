#pragma once
#include <span>
#include <string>
#include <string_view>

#include "revctl/list/reading/revision_list.h"
#include "revctl/list/reading/source.h"

/// Sets the kinds of an evaluated enum's entries, and the lines that belong to them.
namespace revctl::list::detail {

/// Returns the entry's name if the initializer is only a name: `SR_FOO`, `Revision::SR_FOO`,
/// `(SR_FOO)`, `static_cast<int>(SR_FOO)`. Otherwise returns "".
std::string NamedEntry(std::span<const Token> initializer, const std::string& enum_name);

/// Returns `SENTINEL` for `SENTINEL - 1`, otherwise "".
std::string OneBelowEntry(std::span<const Token> initializer, const std::string& enum_name);

void AssignKinds(RevisionList& list, const ListConfig& config);

/// True for the usual names of an alias of the oldest readable revision: `MINIMAL`, `SR_OLDEST`,
/// `kVersion_LowestSupported`.
bool IsOldestName(std::string_view name);

/// True if `name` matches `pattern`. `*` and `?` work as in a shell.
bool MatchesGlob(std::string_view name, std::string_view pattern);

/// Sets the trailing comment and the lines of each entry. The lines include the comment lines
/// directly above the entry, and those below it that are aligned with its trailing comment. An
/// entry that shares its line with others has only the text from its name to its comma.
void AssignLines(RevisionList& list, const LineTable& lines);

}  // namespace revctl::list::detail
