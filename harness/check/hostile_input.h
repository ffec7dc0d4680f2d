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

/// A minimized input that ended the process.
struct HostileCrash {
  std::string what;      ///< its golden and mutation, and how the process ended
  std::string revision;  ///< at which it is read
  std::vector<std::byte> input;
  std::string field{};    ///< the last field that the body visited, or empty
  SourcePlace place{};    ///< of its macro
  std::string printed{};  ///< first lines that the process printed
};

struct StormResult {
  std::uint64_t inputs = 0;
  std::uint64_t refused = 0;          ///< inputs that gave an error, as most should
  std::vector<HostileCrash> crashes;  ///< distinct crashes, at most kMostCrashes
  static constexpr std::size_t kMostCrashes = 5;
};

/// Limits for one hostile input. Exceeding them counts as a crash.
struct StormLimits {
  std::chrono::milliseconds patience{5000};  ///< wall-clock time, so that sleeping counts
  /// in addition to the process's own; readers' budgets are far smaller
  std::size_t memory = std::size_t{2} << 30;
  /// Called occasionally with the number of inputs so far; may be empty.
  std::function<void(std::uint64_t inputs)> watch{};
};

/// Decodes truncated, flipped, spliced and otherwise damaged variants of every golden of `root` for
/// `seconds`, which includes the time for minimizing inputs. Runs in child processes, so it
/// continues after a crash. Ends early after kMostCrashes.
StormResult Storm(const RootType& root, const History& history, double seconds, std::uint64_t seed,
                  const StormLimits& limits = {});

/// Decodes one input: reads it at revision `number` with the program's own streams and, if that
/// succeeds, saves the object at `latest`. Returns false if the input is rejected.
bool ReadAndSave(const RootType& root, std::span<const std::byte> input, std::int64_t number,
                 std::int64_t latest);

}  // namespace revctl::harness
