#pragma once
#include "harness/recording/recording.h"

namespace revctl::harness {

/// Adds one whole file of a root type to what is recorded at revision `index`, where the program
/// says how its files are framed and no record has such a file. `renewed`: also where today's frame
/// is another than the one recorded last.
void AddFile(const RootType& root, const History& history, std::size_t index, bool renewed,
             Recording& recording);

}  // namespace revctl::harness
