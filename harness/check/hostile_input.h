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

/// A minimized input that made the process end.
struct HostileCrash {
  std::string what;      ///< the input's golden and mutation, and how the process ended
  std::string revision;  ///< revision at which the input was read
  std::vector<std::byte> input;
  std::string field{};    ///< the last field that the body visited, or empty
  SourcePlace place{};    ///< place of that field's macro
  std::string printed{};  ///< first lines that the process printed
};

struct StormResult {
  std::uint64_t inputs = 0;
  std::uint64_t refused = 0;  ///< number of inputs that caused an error, as most inputs should
  std::vector<HostileCrash> crashes;  ///< distinct crashes, at most kMostCrashes
  static constexpr std::size_t kMostCrashes = 5;
};

/// Limits for one hostile input. An input that exceeds them counts as a crash.
struct StormLimits {
  std::chrono::milliseconds patience{5000};  ///< wall-clock time, so that sleeping counts
  /// in bytes, beyond the memory that the process already uses; budgets of readers are far smaller
  std::size_t memory = std::size_t{2} << 30;
  /// Called from time to time with the number of inputs decoded so far. May be an empty function.
  std::function<void(std::uint64_t inputs)> watch{};
};

/// Decodes damaged variants (truncated, flipped, spliced and others) of every golden of `root`.
/// Stops after `seconds`, including the time for minimizing inputs, or after kMostCrashes crashes.
/// Runs in child processes, so that it can continue after a crash.
StormResult Storm(const RootType& root, const History& history, double seconds, std::uint64_t seed,
                  const StormLimits& limits = {});

/// Decodes one input. Reads the input at revision `number` with the program's own streams and, if
/// that succeeds, saves the object at revision `latest`. Returns false if the input is rejected.
bool ReadAndSave(const RootType& root, std::span<const std::byte> input, std::int64_t number,
                 std::int64_t latest);

}  // namespace revctl::harness
