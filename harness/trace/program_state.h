#pragma once

namespace revctl::harness {

/// Calls the functions registered with HARNESS_RESET, so that results do not depend on earlier
/// samples and goldens. Must be called before each step, each sample and each read.
void ResetProgram();

}  // namespace revctl::harness
