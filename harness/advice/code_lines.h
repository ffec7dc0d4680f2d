#pragma once
#include <string>
#include <vector>

#include <revctl/detail/visit/layout.h>

namespace revctl::harness {

// Fields as the lines of a Serialize body that visit them.

/// A field as it is visited: `ADD(SR_INITIAL, p1Score);`.
std::string VisitLine(const revctl::LayoutField& field);

/// `ADD(SR_TWO, hp);`, or with the condition that the field has, or the macro of its form.
std::string AddLine(const revctl::LayoutField& now, const std::string& since);

/// The REM that reads what was recorded until a revision. Without a default: the one that is
/// recorded, else one that compiles.
std::string RemLine(const revctl::LayoutField& recorded, const std::string& until,
                    const std::string& fallback = "");

/// The gate's name; `REVISION` where the field has none.
std::string Since(const revctl::LayoutField& field);

/// A number, a bool or an enum: what static_cast makes one of the other. Records have no size of
/// their own.
bool IsValue(const revctl::LayoutField& field);

/// `   // game.h:12`, to stand behind a line; empty where the place is not known.
std::string PlaceNote(const revctl::LayoutField* field);

// What revisions are called, and what one that is yet to be made shall be.

/// `p1Score` as a list spells it: `P1_SCORE`.
std::string UpperSnake(const std::string& name);

/// What all names have in common up to an underscore: `SR_`; may be empty.
std::string CommonPrefix(const std::vector<std::string>& names);

/// The revision that shall hold a change, with the command that makes it where none stands ready.
struct NewRevision {
  std::string symbol, command;
};
/// `pending` where it is not empty, else `name` behind the list's `prefix`.
NewRevision Reserve(const std::string& prefix, const std::string& pending, const std::string& name);

/// A wire type as part of such a name: `VECTOR_I32`.
std::string Letters(const std::string& wire);

}  // namespace revctl::harness
