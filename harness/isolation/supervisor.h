#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
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

}  // namespace revctl::harness
