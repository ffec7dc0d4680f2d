#pragma once

enum ShortRevision {
  SR_A = 1,
  SR_B = 2,
  SR_C = 3,
};
