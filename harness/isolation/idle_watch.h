#pragma once
#include <sys/types.h>

#include <chrono>

namespace revctl::harness {

/// For how long a process has only waited: it sleeps or is stopped at each look, and its
/// threads together compute next to nothing. One that a busy machine keeps from computing does not
/// wait. Where the system cannot tell (it has no /proc), nothing ever waits.
class IdleWatch {
 public:
  explicit IdleWatch(pid_t process) : process_(process) {}

  /// To be called a few times a second.
  std::chrono::steady_clock::duration Look();
  void Forget() { *this = IdleWatch(process_); }

 private:
  using Duration = std::chrono::steady_clock::duration;
  pid_t process_;
  std::chrono::steady_clock::time_point looked_ = std::chrono::steady_clock::now();
  std::chrono::nanoseconds computed_{0};
  Duration waited_{0};
};

}  // namespace revctl::harness
