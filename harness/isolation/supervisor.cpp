#include "harness/isolation/supervisor.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "revctl/base/counted.h"

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

bool ChildProcess::Start(Job job, const TimeLimits& limits) {
  limits_ = limits;
  memory_ = job.memory;
  job.core_seconds = limits.core;
  return supervisor_.ok() && supervisor_.Start(job);
}

std::optional<std::string> ChildProcess::Finish(const std::function<void()>& look) {
  std::string before = last();
  const auto moved = [&] {
    std::string now = last();
    const bool other = now != before;
    before = std::move(now);
    if (look) look();
    return other;
  };
  const Ending ending = supervisor_.Finish(
      moved, {std::chrono::seconds(limits_.idle), std::chrono::seconds(limits_.wall)});
  if (look) look();
  ending_ = ending.how == Ending::How::Hangs ? kHangs : EndingWords(ending);
  if (supervisor_.notes().out_of_memory)
    ending_ += fmt::format(" when it tried to allocate more than {} MiB", memory_ >> 20);
  if (ending.how != Ending::How::Well || supervisor_.answer().empty()) return std::nullopt;
  std::fputs(supervisor_.printed().c_str(), stderr);
  return supervisor_.answer();
}

std::string ChildProcess::printed() const { return FirstLines(supervisor_.printed()); }

std::string FirstLines(const std::string& printed) {
  constexpr std::size_t kPrintedLines = 6, kPrintedLetters = 200;
  std::vector<std::string> lines;
  std::size_t more = 0;
  for (std::size_t begin = 0; begin < printed.size();) {
    const std::size_t end = std::min(printed.find('\n', begin), printed.size());
    std::string line;
    for (const char c : printed.substr(begin, std::min(end - begin, kPrintedLetters)))
      // Replace control characters, and non-ASCII bytes, because they may be invalid UTF-8.
      line += c < 0x20 || c > 0x7E ? ' ' : c;
    begin = end + 1;
    if (line.find_first_not_of(' ') == std::string::npos ||
        std::find(lines.begin(), lines.end(), line) != lines.end())
      continue;
    if (lines.size() == kPrintedLines) ++more;
    else lines.push_back(std::move(line));
  }
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  if (more > 0) text += "\nand " + base::Counted(more, "more line");
  return text;
}

}  // namespace revctl::harness
