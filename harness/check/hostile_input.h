#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/history/history.h"
#include "harness/trace/registry.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// An input that ended the process, made as small as it goes.
struct HostileCrash {
  std::string what;      ///< golden and mutation that it came from, and how the process ended
  std::string revision;  ///< it is read at
  std::vector<std::byte> input;
  std::string field{};  ///< the last one that the body visited; empty where that is not known
  SourcePlace place{};  ///< of its macro
};

/// What a storm of hostile input saw.
struct StormResult {
  std::uint64_t inputs = 0;           ///< decoded
  std::uint64_t refused = 0;          ///< gave an error, as most should
  std::vector<HostileCrash> crashes;  ///< at most kMostCrashes, each of another kind
  static constexpr std::size_t kMostCrashes = 5;
};

/// What one hostile input may cost. What takes more is a crash like any other.
struct StormLimits {
  std::chrono::milliseconds patience{
      5000};  ///< of the clock, so that what sleeps or stopped itself counts too
  std::size_t memory = std::size_t{2}
                       << 30;  ///< beyond what the process has; a reader's budget is far below
  /// Called now and then with the number of inputs so far; may be empty.
  std::function<void(std::uint64_t inputs)> watch{};
};

/// Decodes truncated, flipped, spliced and lying variants of every golden of `root` for `seconds`,
/// the time to make crashing inputs small included. Runs in child processes: a crash costs one
/// input, and the storm goes on behind it. It ends when the time is up, or at kMostCrashes.
StormResult Storm(const RootType& root, const History& history, double seconds, std::uint64_t seed,
                  const StormLimits& limits = {});

/// What a storm does with one input: the program's own streams read it at revision `number`, and
/// save what they accept at `latest`. False where they refuse it.
bool ReadAndSave(const RootType& root, std::span<const std::byte> input, std::int64_t number,
                 std::int64_t latest);

}  // namespace revctl::harness
