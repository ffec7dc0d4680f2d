#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "harness/isolation/supervisor.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

/// Runs checks of goldens and samples in a child process. Unlike a plain Supervisor, a ChildProcess
/// knows which golden or sample the child was about to run (Progress) when it died.
class ChildProcess {
 public:
  /// Starts a child. Returns false if the system cannot start one. `limits` applies to each golden
  /// or sample, and sets the CPU time of `job`. The job must return a non-empty answer, because an
  /// empty answer means that a body called exit(0).
  bool Start(Job job, const TimeLimits& limits = {});
  /// Reduces the limits of the running child.
  void LowerLimits(const TimeLimits& limits) { limits_ = limits; }
  /// Returns the child's answer, or nullopt if it crashed. Calls `look` regularly while it waits.
  std::optional<std::string> Finish(const std::function<void()>& look = {});

  /// number of crashes after which the check gives up on a type
  static constexpr std::size_t kMostCrashes = 128;
  /// The value of ending() after a time limit was exceeded.
  static constexpr char kHangs[] = "it hangs";

  /// The step that the crashed child was about to run, as `type\nwhat`.
  std::string last() const { return supervisor_.notes().text; }
  /// Number of goldens checked so far.
  std::size_t done() const { return supervisor_.notes().done; }
  /// The macro that the child's bodies reached last.
  const CrashBreadcrumb& visit() const { return supervisor_.notes().visit; }
  /// Describes how the child ended, and whether it exceeded its memory limit.
  const std::string& ending() const { return ending_; }
  /// Returns the first lines that a crashed child printed, with control characters and repeated
  /// lines removed. The output of other children goes to stderr.
  std::string printed() const;

 private:
  Supervisor supervisor_;
  TimeLimits limits_;
  std::size_t memory_ = 0;
  std::string ending_;
};

/// Returns the first distinct lines of a child's output, and how many more lines there are.
std::string FirstLines(const std::string& printed);

}  // namespace revctl::harness
