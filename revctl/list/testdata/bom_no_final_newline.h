enum Revision {
  SR_A = 1,  // caf√©
  SR_B = 2,  // latin È
  SR_C}; // the end