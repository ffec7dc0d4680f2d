#pragma once
#include "revctl/landing/landing.h"

namespace revctl::commands {

/// `land --dry-run`: fetches, prints what the landing would do, and changes nothing else.
base::Result<base::Exit> PlanLanding(Landing& landing);

}  // namespace revctl::commands
