#pragma once

namespace revctl::harness {

/// Calls the functions that the program registered with HARNESS_RESET, so that results do not
/// depend on samples and goldens that ran earlier. The harness calls this before each step, each
/// sample and each read.
void ResetProgram();

}  // namespace revctl::harness
