#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "harness/history.h"
#include "harness/registry.h"

namespace harness {

/// What a storm of hostile input saw.
struct StormResult {
  std::uint64_t inputs = 0;   ///< decoded
  std::uint64_t bytes = 0;    ///< of all of them
  std::uint64_t refused = 0;  ///< gave an error, as most should
  std::string crashed;  ///< golden, mutation and signal of the input that ended the process, empty
                        ///< where none did
  std::vector<std::byte> input;  ///< that input, to be replayed
};

/// Decodes truncated, flipped, spliced and lying variants of every golden of `root` for `seconds`
/// at most. Runs in a child process, so that a crash costs one input and names it. Bounded: it ends
/// when the time is up or all variants are done.
StormResult Storm(const RootType& root, const History& history, double seconds, std::uint64_t seed);

}  // namespace harness
