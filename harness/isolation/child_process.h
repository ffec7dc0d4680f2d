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

/// Runs checks of goldens and samples in a child process. Unlike a plain Supervisor, a ChildProcess
/// knows which golden or sample the child was about to run (Progress) when it died.
class ChildProcess {
 public:
  /// False if no child can be started. Then no other function may be called.
  bool ok() const { return shared_.ok(); }

  /// Starts a child that skips the steps in `left_out`. Returns false if the system cannot start a
  /// child. `limits` applies to each golden or sample. `work` must return a non-empty answer,
  /// because an empty answer means that a body called exit(0).
  bool Start(const std::set<std::string>& left_out, const std::function<std::string()>& work,
             const TimeLimits& limits = {});
  /// Reduces the limits of the running child.
  void LowerLimits(const TimeLimits& limits) { limits_ = limits; }
  /// Returns the child's answer, or nullopt if it crashed. Calls `look` regularly while it waits.
  std::optional<std::string> Finish(const std::function<void()>& look = {});

  /// number of crashes after which the check gives up on a type
  static constexpr std::size_t kMostCrashes = 128;
  /// Memory that a child may allocate in addition to the memory of this process. Goldens of 1 MiB
  /// need far less. The limit keeps a runaway body from exhausting the machine.
  static constexpr std::size_t kMostMemory = std::size_t{4} << 30;
  /// The value of ending() after a time limit was exceeded.
  static constexpr char kHangs[] = "it hangs";

  /// The step that the crashed child was about to run, as `type\nwhat`.
  std::string last() const { return shared_->text; }
  /// Number of goldens checked so far.
  std::size_t done() const { return shared_->done; }
  /// The macro that the child's bodies reached last.
  const CrashBreadcrumb& visit() const { return shared_->visit; }
  /// Describes how the child ended, and whether it exceeded kMostMemory.
  const std::string& ending() const { return ending_; }
  /// Returns the first lines that a crashed child printed, without control characters and repeated
  /// lines. The output of other children goes to stderr.
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

/// Returns the first distinct lines of a child's output, and how many more lines there are.
std::string FirstLines(const std::string& printed);

}  // namespace revctl::harness
