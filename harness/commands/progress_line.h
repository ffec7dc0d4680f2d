#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace revctl::harness {

/// One line on stderr about hostile input, drawn anew once a second: what is tried, how many, how
/// fast, how long yet. Nothing where stderr is no terminal, or `quiet`.
class ProgressLine {
 public:
  ProgressLine(double seconds, bool quiet);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();
  void Show(const std::string& type, std::uint64_t inputs);

 private:
  using Clock = std::chrono::steady_clock;
  void Wipe();

  const double seconds_;
  const std::size_t width_;  ///< 0: nothing is drawn
  const Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_ = began_;
  std::size_t shown_ = 0;
};

}  // namespace revctl::harness
