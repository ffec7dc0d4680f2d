#include "harness/isolation/child_process.h"

#include <fmt/core.h>
#include <chrono>
#include <csignal>
#include <utility>

#include "harness/isolation/supervisor.h"

namespace revctl::harness {

bool ChildProcess::Start(const std::set<std::string>& left_out,
                         const std::function<std::string()>& work, const TimeLimits& limits) {
  limits_ = limits;
  shared_.Reset();
  return supervisor_.Start([&] {
    Progress::Install(shared_->text, left_out, limits.core, &shared_->done);
    CrashBreadcrumb::NoteIn(&shared_->visit);
    LimitMemory(kMostMemory, shared_->out_of_memory);
    return work();
  });
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
  switch (ending.how) {
    case Ending::How::Well:
    case Ending::How::Status:
      ending_ = fmt::format("exit status {}", ending.number);
      break;
    case Ending::How::Signal:
      ending_ = ending.number == SIGPROF ? kHangs : fmt::format("signal {}", ending.number);
      break;
    case Ending::How::Hangs:
      ending_ = kHangs;
      break;
  }
  if (shared_->out_of_memory)
    ending_ += fmt::format(" when it wanted more than {} MiB", kMostMemory >> 20);
  if (ending.how != Ending::How::Well || supervisor_.answer().empty()) return std::nullopt;
  return supervisor_.answer();
}

}  // namespace revctl::harness
