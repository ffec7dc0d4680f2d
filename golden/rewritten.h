#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "golden/kept_values.h"
#include "golden/result.h"

namespace revctl::golden {

// FindNotKept on texts: the gate judges records, and does not have the code that made them.

/// A record that cannot be read changes nothing.
void AddRecord(OthersChanges& others, std::string_view text, bool unknown);
void AddApproval(OthersChanges& others, std::string_view text);

/// `before` with the goldens of `additions`, which `after` takes in; empty: it could not be read,
/// and had nothing to lose.
Result<std::vector<NotKept>> FindNotKept(std::string_view before,
                                         const std::vector<std::string>& additions,
                                         std::string_view after, const OthersChanges& others);

}  // namespace revctl::golden
