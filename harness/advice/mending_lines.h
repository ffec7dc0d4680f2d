#pragma once
#include <string>

#include "harness/advice/explain_change.h"

namespace revctl::harness {

/// The exact lines that mend a change, ready to be pasted: the command that reserves a revision,
/// and the field's lines.
std::string MendingLines(const LayoutChange& change, const ChangePlace& place);

}  // namespace revctl::harness
