#include "harness/isolation/supervisor.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

namespace revctl::harness {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 100ms;  // interval for checking the child's current step

/// Measures how long a child has been idle, that is, sleeping or stopped at every check while its
/// threads use hardly any CPU time. If the system can tell the difference, a process that is only
/// waiting for a busy CPU is not idle.
class IdleWatch {
 public:
  explicit IdleWatch(const SystemChild& child) : child_(&child) {}

  /// Returns the idle time. Callers must call this function a few times per second.
  Clock::duration Waited() {
    const auto now = Clock::now();
    const Clock::duration passed = now - std::exchange(looked_, now);
    const auto computed = child_->Computed();
    const bool idle = computed && *computed - std::exchange(computed_, *computed) < passed / 100 &&
                      child_->Sleeps();
    // The watcher itself may have been stopped together with the process.
    waited_ = idle ? waited_ + std::min<Clock::duration>(passed, 1s) : Clock::duration{0};
    return waited_;
  }
  void Forget() { *this = IdleWatch(*child_); }

 private:
  const SystemChild* child_;
  Clock::time_point looked_ = Clock::now();
  std::chrono::nanoseconds computed_{0};
  Clock::duration waited_{0};
};

bool Passed(std::chrono::milliseconds limit, Clock::duration time) {
  return limit.count() > 0 && time > limit;
}

}  // namespace

bool Supervisor::Start(const Job& job) {
  auto& notes = *new (memory_.get()) ChildNotes{};
  child_ = std::make_unique<SystemChild>();
  if (SystemChild::Forks()) return child_->Fork([&] { return RunJob(job, notes, bytes()); });
  const std::string request = PackRequest(job);
  const SharedBytes shared(request.size());
  if (shared.get() == nullptr) return false;
  std::memcpy(shared.get(), request.data(), request.size());
  return child_->StartProgram(shared, memory_);
}

Ending Supervisor::Finish(const std::function<bool()>& moved, const WatchLimits& limits) {
  IdleWatch idle(*child_);
  Clock::time_point since = Clock::now();
  (void)moved();
  for (;;) {
    if (const auto ending = child_->Wait(kLook)) return *ending;
    if (moved()) {
      since = Clock::now();
      idle.Forget();
    } else if (Passed(limits.wall, Clock::now() - since) ||
               (limits.idle.count() > 0 && Passed(limits.idle, idle.Waited()))) {
      child_->Kill();
      return {Ending::How::Hangs, 0};
    }
  }
}

}  // namespace revctl::harness
