#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// Implements `land --dry-run`: prints what the landing would do, one step per line. Fetches, but
/// changes nothing else.
base::Result<base::Exit> PlanLanding(Landing& landing);

}  // namespace revctl::commands
