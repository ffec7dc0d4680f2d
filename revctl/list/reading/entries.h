#pragma once
#include <span>
#include <string>
#include <string_view>

#include "revctl/list/reading/revision_list.h"
#include "revctl/list/reading/source.h"

/// The two steps after an enum has been evaluated: the kinds of its entries, and their lines.
namespace revctl::list::detail {

/// Returns the name if the initializer is nothing else: `SR_FOO`, `Revision::SR_FOO`, `(SR_FOO)`,
/// `static_cast<int>(SR_FOO)`. Otherwise returns "".
std::string NamedEntry(std::span<const Token> initializer, const std::string& enum_name);

/// Returns `SENTINEL` for `SENTINEL - 1`, otherwise "".
std::string OneBelowEntry(std::span<const Token> initializer, const std::string& enum_name);

/// Sets the kind of each entry: revision, alias or sentinel.
void AssignKinds(RevisionList& list, const ListConfig& config);

/// True if `name` matches `pattern`, in which `*` and `?` mean what they mean in a shell.
/// True for `MINIMAL`, `SR_OLDEST`, `kVersion_LowestSupported`: what lists call the name that
/// follows the oldest readable revision.
bool IsOldestName(std::string_view name);

bool MatchesGlob(std::string_view name, std::string_view pattern);

/// Sets the trailing comment of each entry and the lines that belong to the entry: comment lines
/// directly above it, and comment lines below it that continue its trailing comment because they
/// are aligned with it. An entry that shares its line with others has only the text from its name
/// to its comma.
void AssignLines(RevisionList& list, const LineTable& lines);

}  // namespace revctl::list::detail
