#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include <cstddef>
#include <functional>
#include <string_view>
#include "revctl/session/session.h"

namespace revctl::commands {

/// While it lives, a terminal shows after a second what the command waits for, and for how
/// long by now; of what is counted, how fast it goes, and how long the rest takes. Nothing else may
/// be said through the session meanwhile.
class ProgressLine {
 public:
  ProgressLine(Session& session, std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// What is waited for from now on.
  void Say(const std::string& what);
  /// So many of them are done. What has another name begins a count of its own.
  void Count(std::string_view what, std::size_t done, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;
  void Watch();
  /// What is shown `seconds` after the begin.
  std::string Line(int seconds) const;

  Session& session_;
  std::mutex mutex_;
  std::condition_variable over_;
  std::string what_;
  std::string counted_;  ///< empty: nothing is
  std::size_t count_ = 0, all_ = 0;
  Clock::time_point count_began_;
  bool done_ = false;
  const Clock::time_point begin_ = Clock::now();
  std::thread watch_;  ///< last, since it uses all the others
};

/// Told of each step of a long command: what they are (`sources`), how many are done, of how many.
/// Empty where no one looks.
using HowManyAreDone =
    std::function<void(std::string_view what, std::size_t done, std::size_t all)>;

}  // namespace revctl::commands
