#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "revctl/commands/session.h"

namespace revctl::commands {

/// While it lives, a terminal shows after a second what the command waits for, and for how
/// long by now. Nothing else may be said through the session meanwhile.
class Patience {
 public:
  Patience(Session& session, std::string what);
  ~Patience();
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;

  /// What is waited for from now on.
  void Say(const std::string& what);

 private:
  void Watch();

  Session& session_;
  std::mutex mutex_;
  std::condition_variable over_;
  std::string what_;
  bool done_ = false;
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::thread watch_;  ///< last, since it uses all the others
};

}  // namespace revctl::commands
