#pragma once

namespace revctl::harness {

/// Calls the program's HARNESS_RESETs, so that later code does not depend on samples and goldens
/// that ran before. The harness calls this before each step, each sample and each read.
void ResetProgram();

}  // namespace revctl::harness
