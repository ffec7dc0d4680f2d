#pragma once
#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "harness/isolation/time_limits.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {

/// Runs work in a child process, since it calls bodies that may end theirs, and takes its answer
/// through a pipe. What the child was about to run (Progress) outlives it.
class ChildProcess {
 public:
  ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  /// Waits for the child.
  ~ChildProcess();

  /// False where a child cannot be had; then nothing else may be called.
  bool ok() const { return shared_ != nullptr; }

  /// Starts a child that leaves out all of `left_out`. False where the system gives none.
  /// One golden or sample in it may take as long as `limits` say. The answer is never empty: a
  /// body that calls exit(0) leaves an empty one.
  bool Start(const std::set<std::string>& left_out, const std::function<std::string()>& work,
             const TimeLimits& limits = {});
  /// From now on it may wait for no longer than this.
  void LowerLimits(const TimeLimits& limits) { limits_ = limits; }
  /// The answer of the child that was started; nothing where it did not live to give one.
  std::optional<std::string> Finish();

  static constexpr std::size_t kMostCrashes = 128;  ///< of one type; beyond that it is given up
  static constexpr char kHangs[] = "it hangs";      ///< ending() of one that ran into a limit

  /// What the child that gave no answer was about to run, as `type\nwhat`.
  std::string last() const;
  /// The macro at which its bodies were last.
  const CrashBreadcrumb& visit() const;
  /// How it ended.
  const std::string& ending() const { return ending_; }

 private:
  std::optional<std::string> Read();

  struct Shared;
  Shared* shared_ = nullptr;
  TimeLimits limits_;
  int answer_ = -1;
  pid_t child_ = -1;
  std::string ending_;
};

}  // namespace revctl::harness
