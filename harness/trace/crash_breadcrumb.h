#pragma once
#include <atomic>
#include <cstddef>
#include <set>
#include <string>

#include <revctl/detail/types/any_archive.h>

namespace revctl::harness {

struct SourcePlace;

/// The macro at which bodies were last, to say where a process ended. It lies in
/// memory that a child shares with its parent: texts are literals of the program, which both have
/// at one address.
///
/// Only archives that the harness looks at tell it; before the program's own reader and writer run
/// it is forgotten.
struct CrashBreadcrumb {
  std::atomic<const char*> field{nullptr};  ///< null: not known
  std::atomic<const char*> file{nullptr};
  std::atomic<int> line{0};
  /// What was done to the golden at hand, a literal such as "cut at", and where; null: nothing.
  std::atomic<const char*> harm{nullptr};
  std::atomic<std::size_t> offset{0};

  bool known() const { return field.load() != nullptr; }

  /// The field's name and where its macro stands, as far as they are known and can still be read;
  /// what is not stays as it was.
  void Tell(std::string& name, SourcePlace& place) const;

  /// The text that `at`, one of the above, points at. Empty where it points at none: what ended the
  /// child may have written over this as well, and must not end the parent.
  static std::string Text(const char* at);

  /// From now on this process notes into `visit`, or nowhere that matters.
  static void NoteIn(CrashBreadcrumb* visit) { current = visit != nullptr ? visit : &nowhere; }

  /// A body announces a field. A plain visit has no macro: where it stands, the one before it is
  /// named.
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
  /// What follows is read by the program's own reader.
  static void NoteHarm(const char* harm, std::size_t offset) {
    Put<const char*>(current->field, nullptr);
    Put(current->offset, offset);
    Put(current->harm, harm);
  }

 private:
  /// The parent looks when the child has ended, so that no store need be seen before another.
  template <class T>
  static void Put(std::atomic<T>& to, T value) {
    to.store(value, std::memory_order_relaxed);
  }
  static CrashBreadcrumb nowhere;
  static CrashBreadcrumb* current;
};

inline CrashBreadcrumb CrashBreadcrumb::nowhere;
inline CrashBreadcrumb* CrashBreadcrumb::current = &CrashBreadcrumb::nowhere;

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
