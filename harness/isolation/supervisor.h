#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "harness/isolation/job.h"
#include "harness/isolation/system_child.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

/// Time limits for one golden or sample, in seconds; 0 means no limit.
struct TimeLimits {
  unsigned core = 60;   ///< CPU time, which does not depend on how busy the machine is
  unsigned idle = 60;   ///< wall-clock time while the child sleeps or is stopped
  unsigned wall = 600;  ///< wall-clock time in any state
};

/// Time limits for one step of a child; 0 means no limit.
struct WatchLimits {
  std::chrono::milliseconds idle{0};  ///< limit while the child sleeps or is stopped
  std::chrono::milliseconds wall{0};  ///< limit in any state
};

/// What a child leaves for its parent, in memory that both share.
struct ChildNotes {
  char text[Progress::kTextSize] = {};  ///< the current step, as `type\nwhat`
  CrashBreadcrumb visit;
  std::atomic<std::size_t> done = 0;  ///< number of goldens checked so far
  std::atomic<bool> out_of_memory = false;
};

/// Runs jobs in child processes and watches them, because bodies may crash, hang or close files.
/// Has at most one child at a time.
class Supervisor {
 public:
  /// Shares `bytes` bytes with the children, in addition to the notes.
  explicit Supervisor(std::size_t bytes = 0) : memory_(sizeof(ChildNotes) + bytes) {}

  /// False if shared memory could not be allocated. If so, no other function may be called.
  bool ok() const { return memory_.get() != nullptr; }

  /// Starts a child. Returns false if the system cannot start one.
  bool Start(const Job& job);
  /// Waits until the child ends. Kills the child if it exceeds a limit. `moved` must return whether
  /// the child has started another step since the last call.
  Ending Finish(const std::function<bool()>& moved, const WatchLimits& limits);

  bool running() const { return child_ && child_->running(); }
  const ChildNotes& notes() const { return *reinterpret_cast<const ChildNotes*>(memory_.get()); }
  /// The shared bytes. Start() does not clear them.
  std::span<std::byte> bytes() const {
    return {memory_.get() + sizeof(ChildNotes), memory_.size() - sizeof(ChildNotes)};
  }
  const std::string& answer() const { return child_->answer(); }
  const std::string& printed() const { return child_->printed(); }

 private:
  SharedBytes memory_;
  std::unique_ptr<SystemChild> child_;
};

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
