#pragma once
#include <atomic>
#include <cstddef>
#include <set>
#include <string>

#include <revctl/detail/types/any_archive.h>

namespace revctl::harness {

struct SourcePlace;

/// The macro that a body reached last, so that messages can name the place where a process died. It
/// is in memory that the child shares with its parent; both have the texts, literals of the
/// program, at the same address. Only the harness's own archives update it, so it is cleared before
/// the program's own reader or writer runs.
struct CrashBreadcrumb {
  std::atomic<const char*> field{nullptr};  ///< null if unknown
  std::atomic<const char*> file{nullptr};
  std::atomic<int> line{0};
  /// The damage to the payload, a literal such as "cut at", or null. `offset` is the position.
  std::atomic<const char*> harm{nullptr};
  std::atomic<std::size_t> offset{0};

  bool known() const { return field.load() != nullptr; }

  /// Sets the field's name and the place of its macro, as far as they are known and readable.
  /// Leaves the rest unchanged.
  void Tell(std::string& name, SourcePlace& place) const;

  /// Returns the text at `at`, one of the pointers above, or "" if it is invalid. The crash may
  /// have overwritten the pointer, which must not crash the parent too.
  static std::string Text(const char* at);

  /// From now on, this process writes its notes to `visit`. Null discards them.
  static void NoteIn(CrashBreadcrumb* visit) { current = visit != nullptr ? visit : &nowhere; }

  /// Notes a field that a body announces. Visits without a macro are ignored, so the previous macro
  /// stays.
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
  /// Relaxed stores suffice because the parent reads only after the child has ended.
  template <class T>
  static void Put(std::atomic<T>& to, T value) {
    to.store(value, std::memory_order_relaxed);
  }
  static CrashBreadcrumb nowhere;
  static CrashBreadcrumb* current;
};

inline CrashBreadcrumb CrashBreadcrumb::nowhere;
inline CrashBreadcrumb* CrashBreadcrumb::current = &CrashBreadcrumb::nowhere;

/// The step that is about to run the program's own code: a golden or a sample. That code may end
/// the process. The parent then reads here which step it was, and restarts without it.
class Progress {
 public:
  static constexpr std::size_t kTextSize = 512;

  /// Notes the next step and resets the program's state. Returns false if the caller must skip the
  /// step because it ended an earlier process. `most_seconds`: a smaller limit for its CPU time, or
  /// 0.
  static bool Enter(const std::string& type, const std::string& what, unsigned most_seconds = 0);

  /// Ends the smaller limit of the last step, for work until the next one.
  static void Relax();

  /// Sets where steps are noted (`text`, kTextSize bytes shared with the parent, or null) and which
  /// to skip. A step that takes more than `core_seconds` of CPU time is killed by SIGPROF; 0 means
  /// no limit.
  static void Install(char* text, std::set<std::string> left_out, unsigned core_seconds,
                      std::atomic<std::size_t>* done = nullptr);

  /// Counts a finished golden in `done`, for the parent's progress display.
  static void Done();

  /// Watches for a step. Met returns true if it has been entered or skipped since.
  static void Watch(const std::string& type, const std::string& what);
  static bool Met();
};

}  // namespace revctl::harness
