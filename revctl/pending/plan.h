#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/findings/fix.h"
#include "revctl/list/reading/revision_list.h"

// Computes the order and numbers of pending revisions. The plan is a pure function of one tree (its
// list and its pending files), so that `sync`, `codegen`, `fold` and the gate agree.
namespace revctl::pending {

/// A file in the pending-files folder.
struct PendingText {
  std::string file_name;  ///< `SR_BOSS.yaml`
  std::string text;
  std::string unreadable;  ///< why the text is unreadable (a link, a folder, too large); empty if
                           ///< it was read
  friend bool operator==(const PendingText&, const PendingText&) = default;
};

/// Maximum number of pending files in a folder. Every build reads all of them.
inline constexpr std::size_t kMostFiles = 10000;

struct Numbered {
  std::string name;
  std::int64_t number = 0;
  std::string message;
  std::vector<std::string> after;
};

/// A pending file that cannot be folded, either because of an error or because it waits for another
/// blocked file (RV029).
struct Blocked {
  std::string file_name, name;  ///< `name` is empty if the file's name is not a valid revision name
  std::string why;
  findings::Fix fix;
  int line = 0;
  bool taken = false;  ///< true if renaming the revision would help
  /// the blocked revision that this one is waiting for, whose fix unblocks both; empty if there is
  /// none
  std::string root;
  /// A cycle in `after`. Each name comes after the next one, and the last name comes after the
  /// first name, which is this revision. Removing any of these dependencies breaks the cycle.
  std::vector<std::string> circle;
};

/// Returns the fix that removes `before` from the `after` list of `name`.
std::string RemoveFromAfterFix(const list::ListConfig& list, const std::string& name,
                               const std::string& before);

struct Plan {
  std::vector<Numbered> order;   ///< ascending by number
  std::vector<Blocked> blocked;  ///< ascending by file name
  /// Revisions that are already in the list with the same message, because their files reappeared
  /// after they had been folded.
  std::vector<std::string> returned;

  const Numbered* Find(std::string_view name) const;
  const Blocked* FindBlocked(std::string_view name) const;
  /// Copies the fix of each root of a blocked chain to the revisions that wait for it. Call this
  /// after changing a fix.
  void ShareFixes();
  /// True if `name` must come after `before`, either because its `after` list says so or
  /// transitively.
  bool ComesAfter(std::string_view name, std::string_view before) const;
};

/// Orders and numbers the pending files. `list` must not contain pending revisions. `refused` maps
/// revisions that must be left out to the reasons. An invalid or refused file blocks only itself
/// and the files that depend on it.
Plan MakePlan(const list::RevisionList& list, const list::ListConfig& config,
              const std::vector<PendingText>& files,
              const std::map<std::string, std::string>& refused = {});

/// Returns the text that a fold writes: `list` with the plan's revisions added as entries in the
/// list's style.
base::Result<std::string> FoldedText(const list::RevisionList& list, const list::ListConfig& config,
                                     const Plan& plan);

/// Parses FoldedText(). Entries from pending files have `pending_file` set. Returns `list` itself
/// if the plan contains no revisions.
base::Result<list::RevisionList> Folded(const list::RevisionList& list,
                                        const list::ListConfig& config, const Plan& plan);

/// Returns the text of the include file through which the compiler sees the pending revisions.
std::string IncludeText(const list::RevisionList& list, const list::ListConfig& config,
                        const Plan& plan);

/// Merges pending files three ways, taking each file's content from `ours` if it changed there and
/// from `target` otherwise. The inputs and the result are sorted by name. `clashes` receives the
/// names of files that both sides changed differently.
std::vector<PendingText> MergeFiles(const std::vector<PendingText>& base,
                                    const std::vector<PendingText>& ours,
                                    const std::vector<PendingText>& target,
                                    std::vector<std::string>& clashes);

}  // namespace revctl::pending
