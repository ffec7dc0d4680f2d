#include "harness/isolation/idle_watch.h"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

namespace revctl::harness {
namespace {

using namespace std::chrono_literals;

/// Whether its first thread neither computes, nor is about to, nor waits for a disk or a debugger.
bool Sleeps(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(") ");  // the name may hold anything
  if (name_end == std::string::npos || name_end + 2 >= text.size()) return false;
  return text[name_end + 2] == 'S' || text[name_end + 2] == 'T';
}

/// What all its threads have computed.
std::optional<std::chrono::nanoseconds> Computed(pid_t process) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0)
    return std::nullopt;
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace

std::chrono::steady_clock::duration IdleWatch::Look() {
  const auto now = std::chrono::steady_clock::now();
  const Duration passed = now - std::exchange(looked_, now);
  const auto computed = Computed(process_);
  const bool idle = computed && *computed - std::exchange(computed_, *computed) < passed / 100 &&
                    Sleeps(process_);
  // The watcher may have been stopped itself, and the process with him.
  waited_ = idle ? waited_ + std::min<Duration>(passed, 1s) : Duration{0};
  return waited_;
}

}  // namespace revctl::harness
