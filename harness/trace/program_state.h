#pragma once

namespace revctl::harness {

/// Calls the program's HARNESS_RESETs, so that the next result does not depend on samples and
/// goldens that ran before. The harness calls this function before each step, each sample and each
/// read.
void ResetProgram();

}  // namespace revctl::harness
