#pragma once
#include <stdexcept>
#include <string>

#include "tests/scenarios/team.h"

namespace revctl::testing {

/// A team in which Ann has reserved a number and Bob has landed a higher one. Ann's number is late
/// compared with the target's tip, but not compared with `before`.
struct LateTeam : Team {
  std::string before;  ///< the commit on main where Ann's branch begins
  LateTeam() {
    if (Revctl("ann", {"reserve", "SR_BOSS"}).status != 0 ||
        Revctl("bob", {"reserve", "SR_STAMINA"}).status != 0)
      throw std::runtime_error("reserve");
    sandbox.CommitAll("ann", "boss");
    before = sandbox.Git("ann", {"rev-parse", "HEAD~1"});
    Land("bob");
  }
};

}  // namespace revctl::testing
