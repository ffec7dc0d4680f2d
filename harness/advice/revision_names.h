#pragma once
#include <string>
#include <vector>

namespace revctl::harness {

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
