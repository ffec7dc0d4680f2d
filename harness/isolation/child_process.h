#pragma once
#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "harness/isolation/supervisor.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

/// Runs checks of goldens and samples in a child process. Unlike a plain Supervisor, it knows which
/// of them the child was about to run (Progress) when it died.
class ChildProcess {
 public:
  /// False if a child is impossible; then no other function may be called.
  bool ok() const { return shared_.ok(); }

  /// Starts a child that skips the steps in `left_out`. Returns false if the system cannot start
  /// one. `limits` applies to each golden or sample. `work` must return a non-empty answer, because
  /// a body that calls exit(0) leaves an empty one.
  bool Start(const std::set<std::string>& left_out, const std::function<std::string()>& work,
             const TimeLimits& limits = {});
  /// Reduces the limits of the running child.
  void LowerLimits(const TimeLimits& limits) { limits_ = limits; }
  /// Returns the child's answer, or nullopt if it crashed. Calls `look` regularly while it waits.
  std::optional<std::string> Finish(const std::function<void()>& look = {});

  /// for one type, before the check gives up on it
  static constexpr std::size_t kMostCrashes = 128;
  /// Memory that a child may allocate on top of what this process uses. Goldens of 1 MiB need far
  /// less. The limit keeps a runaway body from exhausting the machine.
  static constexpr std::size_t kMostMemory = std::size_t{4} << 30;
  static constexpr char kHangs[] = "it hangs";  ///< ending() after a time limit

  /// The step that the crashed child was about to run, as `type\nwhat`.
  std::string last() const { return shared_->text; }
  /// Number of goldens checked so far.
  std::size_t done() const { return shared_->done; }
  /// The macro that its bodies reached last.
  const CrashBreadcrumb& visit() const { return shared_->visit; }
  /// Describes how it ended, and whether it exceeded kMostMemory.
  const std::string& ending() const { return ending_; }
  /// Returns the first lines that a crashed child printed, without control characters and without
  /// repetitions. The output of other children goes to stderr.
  std::string printed() const;

 private:
  struct Shared {
    char text[Progress::kTextSize] = {};
    CrashBreadcrumb visit;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> out_of_memory = false;
  };
  SharedMemory<Shared> shared_;
  Supervisor supervisor_;
  TimeLimits limits_;
  std::string ending_;
};

/// Returns the first different lines of what a child printed, and how many more there are.
std::string FirstLines(const std::string& printed);

}  // namespace revctl::harness
