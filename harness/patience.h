#pragma once

namespace harness {

/// How long one golden or sample may take before it is said to hang. Seconds; 0: for ever.
struct Patience {
  unsigned core = 60;   ///< of the processor: a machine that is busy with other things costs nothing
  unsigned wall = 600;  ///< of the clock: for what sleeps, waits or was stopped
};

}  // namespace harness
