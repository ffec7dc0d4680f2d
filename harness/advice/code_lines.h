#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

// Formats fields as lines of a Serialize body.

/// Returns the line that visits a field: `ADD(SR_INITIAL, p1Score);`.
std::string VisitLine(const revctl::LayoutField& field);

/// Returns `ADD(SR_TWO, hp);`, or the macro for a conditional field.
std::string AddLine(const revctl::LayoutField& now, const std::string& since);

/// Returns the REM for a field that was recorded until a revision. `fallback` is its default; if
/// empty, the recorded default or else one that compiles.
std::string RemLine(const revctl::LayoutField& recorded, const std::string& until,
                    const std::string& fallback = "");

/// Returns the name of the gate, or `REVISION` for a field without one.
std::string Since(const revctl::LayoutField& field);

/// True for numbers, bools and enums, between which static_cast converts. Records have no size.
bool IsValue(const revctl::LayoutField& field);

/// Returns a comment to append to a line: `   // game.h:12`. Empty if the place is unknown.
std::string PlaceNote(const revctl::LayoutField* field);

// Names of existing and new revisions.

/// Converts a name to the style of the list: `P1_SCORE` for `p1Score`.
std::string UpperSnake(const std::string& name);

/// Returns the longest common prefix that ends with an underscore: `SR_`; may be empty.
std::string CommonPrefix(const std::vector<std::string>& names);

/// The revision for a change, and the command that reserves it, which is empty for an existing one.
struct NewRevision {
  std::string symbol, command;
};
/// Most letters of a proposed name, with its prefix.
inline constexpr std::size_t kLongestName = 32;
/// Returns `prefix` + `name` + `_` + `detail` if that is short enough, else `prefix` + `name` with
/// as many of its words as fit.
std::string RevisionName(const std::string& prefix, const std::string& name,
                         const std::string& detail = "");
/// Returns `pending` if it is not empty, else a new revision with such a name.
NewRevision Reserve(const std::string& prefix, const std::string& pending, const std::string& name,
                    const std::string& detail = "");

/// Formats a wire type for such a name: `VECTOR_I32`.
std::string Letters(const std::string& wire);

}  // namespace revctl::harness
