#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

// Functions that format fields as lines of a Serialize body.

/// Returns the line that visits a field, such as `ADD(SR_INITIAL, p1Score);`.
std::string VisitLine(const revctl::LayoutField& field);

/// Returns a line such as `ADD(SR_TWO, hp);`, including the field's condition if it has one.
std::string AddLine(const revctl::LayoutField& now, const std::string& since);

/// Returns the REM for a field that was recorded before the revision `until`. `fallback` is its
/// default. If `fallback` is empty, uses the recorded default, or a value that compiles if no
/// default is recorded.
std::string RemLine(const revctl::LayoutField& recorded, const std::string& until,
                    const std::string& fallback = "");

/// Returns the name of the field's gate, or `REVISION` if the field has none.
std::string Since(const revctl::LayoutField& field);

/// True if the field is a number, bool or enum, so that static_cast can convert it to another such
/// type.
bool IsValue(const revctl::LayoutField& field);

/// Returns a comment to append to a line, such as `   // game.h:12`, or "" if the place is unknown.
std::string PlaceNote(const revctl::LayoutField* field);

// Functions that compose the names of new revisions.

/// Converts a name to upper case with underscores between its words: `p1Score` to `P1_SCORE`.
/// Returns "" if the name has neither letters nor digits.
std::string UpperWords(std::string_view name);
/// Like UpperWords, but returns `CHANGE` if the name has neither letters nor digits.
std::string UpperSnake(const std::string& name);

/// Returns the longest common prefix that ends with an underscore, such as `SR_`. Returns "" if
/// there is none.
std::string CommonPrefix(const std::vector<std::string>& names);

/// The revision that should introduce a change, and the command that reserves it (empty if the
/// revision already exists).
struct NewRevision {
  std::string symbol, command;
};
/// Maximum length of a proposed revision name, including its prefix.
inline constexpr std::size_t kLongestName = 32;
/// Returns `prefix` + `name` + `_` + `detail` if that is short enough. Otherwise returns `prefix`
/// followed by as many words of `name` as fit.
std::string RevisionName(const std::string& prefix, const std::string& name,
                         const std::string& detail = "");
/// Returns `pending` if it is not empty. Otherwise returns a new revision with a name from
/// RevisionName.
NewRevision Reserve(const std::string& prefix, const std::string& pending, const std::string& name,
                    const std::string& detail = "");

/// Converts a wire type to a form that fits into a revision name, such as `VECTOR_I32`.
std::string Letters(const std::string& wire);

}  // namespace revctl::harness
