#pragma once
#include <span>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/history/landed.h"

namespace revctl::harness {

/// Additions, by the names of their text files, that are copies of what their revision inherits
/// (see RecordInherited) and say what the code of one of `revisions`, which are pending, made of
/// them: when it makes something else, they are to be written anew with its records. None that has
/// landed.
std::vector<std::string> FindInheritedCopies(const History& history,
                                             std::span<const std::string> revisions,
                                             const Landed& landed);

}  // namespace revctl::harness
