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

/// Work on goldens and samples in a child process: a supervisor that knows which of them the child
/// was about to run (Progress), since that outlives it.
class ChildProcess {
 public:
  /// False where a child cannot be had; then nothing else may be called.
  bool ok() const { return shared_.ok(); }

  /// Starts a child that leaves out all of `left_out`. False where the system gives none.
  /// One golden or sample in it may take as long as `limits` say. The answer is never empty: a
  /// body that calls exit(0) leaves an empty one.
  bool Start(const std::set<std::string>& left_out, const std::function<std::string()>& work,
             const TimeLimits& limits = {});
  /// From now on it may wait for no longer than this.
  void LowerLimits(const TimeLimits& limits) { limits_ = limits; }
  /// The answer of the child that was started; nothing where it did not live to give one.
  /// `look` is called while it is waited for.
  std::optional<std::string> Finish(const std::function<void()>& look = {});

  static constexpr std::size_t kMostCrashes = 128;  ///< of one type; beyond that it is given up
  /// Beyond what this process has: far more than goldens of 1 MiB become, and no body takes the
  /// machine down.
  static constexpr std::size_t kMostMemory = std::size_t{4} << 30;
  static constexpr char kHangs[] = "it hangs";  ///< ending() of one that ran into a limit

  /// What the child that gave no answer was about to run, as `type\nwhat`.
  std::string last() const { return shared_->text; }
  /// How many goldens it has looked at.
  std::size_t done() const { return shared_->done; }
  /// The macro at which its bodies were last.
  const CrashBreadcrumb& visit() const { return shared_->visit; }
  /// How it ended, and whether it had wanted more memory than kMostMemory.
  const std::string& ending() const { return ending_; }

 private:
  /// What parent and child both see.
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

}  // namespace revctl::harness
