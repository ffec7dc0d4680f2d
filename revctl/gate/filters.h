#pragma once
#include <string>

#include "revctl/config/config.h"
#include "revctl/gate/gate.h"

// Filters for findings, which run after all rules.
namespace revctl::commands {

/// Removes findings that are only consequences of another finding about the same list. The table in
/// filters.cpp lists which rule hides which.
void HideFollowUps(Findings& found);

/// Removes findings that the target's config allows. Adds RV025 for expired allowances and, if all
/// rules have run (`complete`), for unused allowances.
void ApplyAllowances(const config::Config& policy, const std::string& file, bool complete,
                     Findings& found);

}  // namespace revctl::commands
