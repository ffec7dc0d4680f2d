#pragma once

namespace revctl::harness {

/// How long one golden or sample may take before it is said to hang. Seconds; 0: for ever.
struct TimeLimits {
  unsigned core = 60;  ///< of the processor: a machine that is busy with other things costs nothing
  unsigned idle =
      60;  ///< of the clock, in which it sleeps or is stopped and computes next to nothing
  unsigned wall = 600;  ///< of the clock, whatever it does
};

}  // namespace revctl::harness
