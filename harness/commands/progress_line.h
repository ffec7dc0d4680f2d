#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "golden/store.h"
#include "harness/check/check.h"
#include "harness/commands/session.h"

namespace revctl::harness {

/// How far a long command is: one line on stderr, at a terminal alone, written anew each second.
class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  /// A sweep that tries inputs for so many seconds.
  void ShowInputs(std::uint64_t inputs, double seconds, const std::string& type);
  /// A check of so many goldens.
  void ShowGoldens(std::size_t done, std::size_t all, const std::string& type);
  /// That line, `spent` seconds after the begin.
  static std::string Goldens(std::size_t done, std::size_t all, double spent,
                             const std::string& type);

 private:
  using Clock = std::chrono::steady_clock;
  /// The seconds since it began; 0: nothing is to be drawn now.
  double Due();
  void Draw(std::string line);
  void Wipe();

  const std::size_t width_;  ///< 0: nothing is drawn
  const Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_ = began_;
  std::size_t shown_ = 0;
};

/// CheckIsolated, with a line of progress meanwhile.
CheckResult CheckShown(const Session& session, const golden::Store& store, CheckOptions options);

}  // namespace revctl::harness
