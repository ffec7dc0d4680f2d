#pragma once
#include <string>
#include <string_view>

#include "revctl/base/listener.h"
#include "revctl/session/session.h"

namespace revctl::commands {

/// Passes messages to a listener, for engines that have no session. Discards results.
class ListenerConsole : public Console {
 public:
  explicit ListenerConsole(const base::Listener& listener) : listener_(listener) {}
  void Out(std::string_view) override {}
  void Message(std::string_view text) override { listener_.Note(std::string(text)); }
  void Progress(std::string_view) override {}

 private:
  const base::Listener& listener_;
};

}  // namespace revctl::commands
