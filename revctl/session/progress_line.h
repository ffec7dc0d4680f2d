#pragma once
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "revctl/base/listener.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Shows on a terminal what the command is waiting for and for how long, starting after one second.
/// Once Count() has been called, also shows the rate and the remaining time. While this object
/// exists, nothing else may be printed through the session.
class ProgressLine {
 public:
  ProgressLine(Session& session, std::string what);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Replaces the description of what the command is waiting for.
  void Say(const std::string& what);
  /// Reports that `done` of `all` items have been processed. A new `what` starts a new count.
  void Count(std::string_view what, std::size_t done, std::size_t all);

 private:
  using Clock = std::chrono::steady_clock;
  void Watch();
  std::string Line(int seconds) const;

  Session& session_;
  std::mutex mutex_;
  std::condition_variable over_;
  std::string what_;
  std::string counted_;  ///< kind of the counted items; empty if nothing is counted
  std::size_t count_ = 0, all_ = 0;
  Clock::time_point count_began_;
  bool done_ = false;
  const Clock::time_point begin_ = Clock::now();
  std::thread watch_;  ///< must be the last member, because the thread uses all others
};

/// Returns a listener that prints notes as messages and shows on a terminal what an engine is
/// waiting for. The session must outlive the listener. The last copy of the listener must be
/// destroyed before anything else is printed.
base::Listener ListenerOf(Session& session);

}  // namespace revctl::commands
