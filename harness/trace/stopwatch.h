#pragma once
#include <ctime>

namespace revctl::harness {

/// Milliseconds that this process has computed since the watch was made. Not of the wall: what
/// others do on the machine does not count.
class Stopwatch {
 public:
  Stopwatch() : begin_(Now()) {}
  double Milliseconds() const { return Now() - begin_; }

 private:
  static double Now() {
    timespec now{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }
  double begin_;
};

}  // namespace revctl::harness
