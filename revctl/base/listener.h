#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace revctl::base {

/// Lets the code that does a command's work report to the command, which decides how to show the
/// reports. Either callback may be empty.
struct Listener {
  void Wait(const std::string& what) const {
    if (waiting) waiting(what);
  }
  void Note(const std::string& line) const {
    if (note) note(line);
  }

  /// Called with a description of what the command is waiting for, and with "" when the wait ends.
  std::function<void(const std::string& what)> waiting = {};
  /// Called with a warning, or with a note about a change that was made along the way.
  std::function<void(const std::string& line)> note = {};
};

/// Callback for the progress of a long command. Receives the kind of items (such as `sources`), how
/// many are done, and how many there are. An empty callback means that progress is not shown.
using ProgressCallback =
    std::function<void(std::string_view what, std::size_t done, std::size_t all)>;

}  // namespace revctl::base
