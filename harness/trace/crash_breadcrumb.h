#pragma once
#include <atomic>
#include <cstddef>
#include <set>
#include <string>

#include <revctl/detail/types/any_archive.h>

namespace revctl::harness {

struct SourcePlace;

/// The macro that a body reached last, so that messages can name the place where a process died.
/// The breadcrumb is in memory that a child process shares with its parent. Its strings are
/// literals of the program, which have the same address in both processes. Only the harness's own
/// archives update the breadcrumb, so it must be cleared before the program's own reader or writer
/// runs.
struct CrashBreadcrumb {
  std::atomic<const char*> field{nullptr};  ///< name of the field; null if unknown
  std::atomic<const char*> file{nullptr};
  std::atomic<int> line{0};
  /// Kind of damage to the payload, as a literal such as "cut at", or null if the payload is not
  /// damaged. `offset` is the position of the damage.
  std::atomic<const char*> harm{nullptr};
  std::atomic<std::size_t> offset{0};

  bool known() const { return field.load() != nullptr; }

  /// Sets `name` to the field and `place` to its macro if they are known and readable. Otherwise
  /// leaves both unchanged.
  void Tell(std::string& name, SourcePlace& place) const;

  /// Returns the string at `at`, which is one of the pointers above. Returns "" if the pointer is
  /// invalid, because the crash may have overwritten it, and that must not crash the parent.
  static std::string Text(const char* at);

  /// Makes this process write its notes to `visit` from now on. If `visit` is null, notes are
  /// discarded.
  static void NoteIn(CrashBreadcrumb* visit) { current = visit != nullptr ? visit : &nowhere; }

  /// Notes a field that a body visits. Ignores visits without a macro, so the previous macro
  /// remains noted.
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
  /// Notes that the program's own reader is about to read a damaged payload.
  static void NoteHarm(const char* harm, std::size_t offset) {
    Put<const char*>(current->field, nullptr);
    Put(current->offset, offset);
    Put(current->harm, harm);
  }

 private:
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

/// The step that is about to run the program's own code, which is a golden or a sample. If the step
/// ends the process, the parent reads which step it was, and starts another child that skips this
/// step.
class Progress {
 public:
  static constexpr std::size_t kTextSize = 512;

  /// Notes the next step and resets the program's state. Returns false if the caller must skip the
  /// step, because it ended an earlier process. `most_seconds` is a tighter limit for the step's
  /// CPU time, or 0 for the usual limit.
  static bool Enter(const std::string& type, const std::string& what, unsigned most_seconds = 0);

  /// Restores the usual limit of CPU time for work that belongs to no step.
  static void Relax();

  /// Sets where steps are noted, and which steps are skipped. `text` is kTextSize bytes that are
  /// shared with the parent, or null. SIGPROF kills a step that takes more than `core_seconds` of
  /// CPU time; 0 means no limit.
  static void Install(char* text, std::set<std::string> left_out, unsigned core_seconds,
                      std::atomic<std::size_t>* done = nullptr);

  /// Counts a finished golden in the `done` of Install(), for the parent's progress display.
  static void Done();

  /// Starts to watch for a step. Met() returns true after this step has been entered or skipped.
  static void Watch(const std::string& type, const std::string& what);
  static bool Met();
};

}  // namespace revctl::harness
