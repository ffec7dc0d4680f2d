#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// `land --dry-run`: what the landing would do, a line each. Fetches, and changes nothing else.
base::Result<base::Exit> PlanLanding(Landing& landing);

}  // namespace revctl::commands
