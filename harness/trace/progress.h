#pragma once
#include <atomic>
#include <cstddef>
#include <set>
#include <string>

namespace revctl::harness {

/// What the process is about to run of the program's own code: one golden, one sample. Bodies are
/// other people's code and may end the process; the parent then reads here what it was, and
/// starts again without it.
class Progress {
 public:
  static constexpr std::size_t kTextSize = 512;

  /// Notes what comes next. False where it is left out, since it ended the process before.
  static bool Enter(const std::string& type, const std::string& what);

  /// From now on notes go to `text` (kTextSize bytes, shared with the parent; null: nowhere), and
  /// all of `left_out` is left out. What takes more than `core_seconds` of the processor hangs, and
  /// ends the process by SIGPROF; 0: never.
  static void Install(char* text, std::set<std::string> left_out, unsigned core_seconds,
                      std::atomic<std::size_t>* done = nullptr);

  /// One more golden has been looked at: counted in `done`, for a parent that shows it.
  static void Done();

  /// Whether what is watched was entered since, or left out.
  static void Watch(const std::string& type, const std::string& what);
  static bool Met();
};

}  // namespace revctl::harness
