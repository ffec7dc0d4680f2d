#pragma once
#include <atomic>
#include <cstddef>
#include <set>
#include <string>

#include <revctl/detail/types/any_archive.h>

namespace revctl::harness {

struct SourcePlace;

/// Names the macro that a body reached last, to show where a process died. The breadcrumb is in
/// memory shared by a child process and its parent. Its strings are literals of the program, which
/// the parent also has, but perhaps at other addresses. Only the harness's own archives update the
/// breadcrumb, so it must be cleared before the program's own reader or writer runs.
struct CrashBreadcrumb {
  std::atomic<const char*> field{nullptr};  ///< name of the field; null if unknown
  std::atomic<const char*> file{nullptr};
  std::atomic<int> line{0};
  /// A literal that names how the payload was damaged, such as "cut at", or null. `offset` is the
  /// position of the damage.
  std::atomic<const char*> harm{nullptr};
  std::atomic<std::size_t> offset{0};
  /// A literal of the process that writes the breadcrumb. Its address tells the reading process by
  /// how much the addresses of all literals differ between the two processes.
  std::atomic<const char*> anchor{nullptr};

  /// Sets `name` to the field and `place` to its macro. Leaves both unchanged if they are unknown
  /// or unreadable.
  void Tell(std::string& name, SourcePlace& place) const;

  /// Returns how the payload was damaged, or "" if it was not.
  std::string Harm() const { return Text(Here(harm)); }

  /// Returns the string at `at`, or "" if the pointer is invalid. A crash may have overwritten the
  /// pointer, and reading it must not crash the parent, too.
  static std::string Text(const char* at);

  /// Makes this process write its notes to `visit` from now on, or discard them if `visit` is null.
  static void NoteIn(CrashBreadcrumb* visit);

  /// Notes the macro of a visited field. Ignores a visit that was not made by a macro.
  static void Note(const revctl::Site& site) {
    if (site.line == 0 || site.name[0] == '\0') return;
    Put(current->field, site.name);
    Put(current->file, site.file);
    Put(current->line, site.line);
  }
  static void Forget() {
    Put<const char*>(current->field, nullptr);
    Put<const char*>(current->harm, nullptr);
  }
  /// Notes the damage to the payload that the program's own reader is about to read.
  static void NoteHarm(const char* harm, std::size_t offset) {
    Put<const char*>(current->field, nullptr);
    Put(current->offset, offset);
    Put(current->harm, harm);
  }

 private:
  /// Converts the address of a literal from the writing process to this process. Returns null for
  /// null.
  const char* Here(const char* there) const;

  /// Relaxed stores suffice, because the parent reads only after the child has ended.
  template <class T>
  static void Put(std::atomic<T>& to, T value) {
    to.store(value, std::memory_order_relaxed);
  }
  static CrashBreadcrumb nowhere;
  static CrashBreadcrumb* current;
};

inline CrashBreadcrumb CrashBreadcrumb::nowhere;
inline CrashBreadcrumb* CrashBreadcrumb::current = &CrashBreadcrumb::nowhere;

/// The current step of a child process: usually a golden or a sample, for which the program's own
/// code runs. If a step ends the process, the parent reads the step's name and starts another
/// child, which skips this step.
class Progress {
 public:
  static constexpr std::size_t kTextSize = 512;

  /// Notes the next step and resets the program's state. Returns false if this step ended an
  /// earlier process; the caller must then skip it. `most_seconds` is a tighter CPU time limit for
  /// the step, or 0 for the usual limit.
  static bool Enter(const std::string& type, const std::string& what, unsigned most_seconds = 0);

  /// Restores the usual CPU time limit, for work outside steps.
  static void Relax();

  /// Sets where steps are noted and which steps are skipped. `text` points to kTextSize bytes
  /// shared with the parent, or is null. A step that uses more than `core_seconds` of CPU time is
  /// killed by SIGPROF; 0 means no limit.
  static void Install(char* text, std::set<std::string> left_out, unsigned core_seconds,
                      std::atomic<std::size_t>* done = nullptr);

  /// Counts a finished golden, for the parent's progress line.
  static void Done();

  /// Starts watching for a step. Met() returns true after this step has been entered or skipped.
  static void Watch(const std::string& type, const std::string& what);
  static bool Met();
};

}  // namespace revctl::harness
