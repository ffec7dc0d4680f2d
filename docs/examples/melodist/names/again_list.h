#pragma once

enum AgainRevision {
  SR_A = 1,  // the first
  SR_B = 2,
  SR_C = 3,
  SR_D = 4,
};
