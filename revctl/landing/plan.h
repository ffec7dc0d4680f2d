#pragma once
#include <string>
#include <vector>

#include "revctl/landing/landing.h"

namespace revctl::commands {

/// Returns the steps of the landing, one per line, such as "rebase boss onto origin/main at
/// 3f2c1d0abc". Changes nothing.
base::Result<std::vector<std::string>> PlanLanding(const Landing& landing);

}  // namespace revctl::commands
