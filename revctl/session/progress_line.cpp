#include "revctl/session/progress_line.h"

#include <fmt/core.h>

#include <memory>
#include <optional>

#include "revctl/base/terminal.h"

namespace revctl::commands {

ProgressLine::ProgressLine(Session& session, std::string what)
    : session_(session), what_(std::move(what)), watch_([this] { Watch(); }) {}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
  }
  over_.notify_one();
  watch_.join();
}

void ProgressLine::Say(const std::string& what) {
  const std::lock_guard<std::mutex> lock(mutex_);
  what_ = what;
}

void ProgressLine::Count(std::string_view what, std::size_t done, std::size_t all) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (what != counted_ || done < count_) {
    counted_ = what;
    count_began_ = Clock::now();
  }
  count_ = done;
  all_ = all;
}

std::string ProgressLine::Line(int seconds) const {
  if (counted_.empty()) return fmt::format("{} ({} s)", what_, seconds);
  const std::chrono::duration<double> spent = Clock::now() - count_began_;
  return what_ + ": " + base::HowFar(count_, all_, counted_, spent.count());
}

void ProgressLine::Watch() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (int seconds = 1;
       !over_.wait_until(lock, begin_ + std::chrono::seconds(seconds), [this] { return done_; });
       ++seconds) {
    session_.Progress(Line(seconds));
  }
}

base::Listener ListenerOf(Session& session) {
  const auto line = std::make_shared<std::optional<ProgressLine>>();
  return {.waiting =
              [&session, line](const std::string& what) {
                if (what.empty()) line->reset();
                else if (line->has_value()) (*line)->Say(what);
                else line->emplace(session, what);
              },
          .note =
              [&session, line](const std::string& text) {
                // Remove the line, because nothing else may be printed while it exists.
                line->reset();
                session.Message(text);
              }};
}

}  // namespace revctl::commands
