#include "revctl/commands/patience.h"

namespace revctl::commands {

Patience::Patience(Session& session, std::string what)
    : session_(session), what_(std::move(what)), watch_([this] { Watch(); }) {}

Patience::~Patience() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  watch_.join();
}

void Patience::Say(const std::string& what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  what_ = what;
}

void Patience::Watch() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (int seconds = 1;
       !over_.wait_until(lock, begin_ + std::chrono::seconds(seconds), [this] { return done_; });
       ++seconds) {
    session_.Progress(what_ + " (" + std::to_string(seconds) + " s)");
  }
}

}  // namespace revctl::commands
