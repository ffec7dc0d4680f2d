#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/list/reading/revision_list.h"

// Which numbers pending revisions get. A pure function of one tree (its list and its pending
// files), so that `sync`, `codegen`, `fold` and the gate agree without asking each other.
namespace revctl::pending {

/// A file of the pending folder, as it was read.
struct PendingText {
  std::string file_name;  ///< `SR_BOSS.yaml`
  std::string text;
  std::string unreadable;  ///< why there is no text: a link, a folder, too large; else empty
  friend bool operator==(const PendingText&, const PendingText&) = default;
};

/// More files than this are an Error where a folder is read: they cost time at each build.
inline constexpr std::size_t kMostFiles = 10000;

struct Numbered {
  std::string name;
  std::int64_t number = 0;
  std::string message;
  std::vector<std::string> after;
};

/// A file that cannot be folded, and what waits for it (RV029).
struct Blocked {
  std::string file_name, name;  ///< `name` is empty where the file's name is no revision's
  std::string why, fix;
  int line = 0;
  bool taken = false;  ///< another name would do
  std::string root;    ///< it waits for this one, whose fix is its own; empty: for none
  /// Each comes after the next one, and the last after the first; this one is the first. Each of
  /// them can open it.
  std::vector<std::string> circle;
};

/// The command by which `name` no longer comes after `before`.
std::string NotAfterCommand(const std::string& name, const std::string& before);

struct Plan {
  std::vector<Numbered> order;        ///< in the order of their numbers
  std::vector<Blocked> blocked;       ///< in the order of their files' names
  std::vector<std::string> returned;  ///< names that are in the list already, by the same words:
                                      ///< files that came back after their fold

  const Numbered* Find(std::string_view name) const;
  const Blocked* FindBlocked(std::string_view name) const;
  /// Gives what waits for another one that one's fix. For those who change fixes.
  void ShareFixes();
  /// A path of `after` leads from `name` to `before`.
  bool ComesAfter(std::string_view name, std::string_view before) const;
};

/// `list` has no pending revisions in it. `refused`: names that the caller keeps out, and why; what
/// builds on them is kept out, too. A bad file blocks itself and what builds on it, nothing else.
Plan MakePlan(const list::RevisionList& list, const list::ListConfig& config,
              const std::vector<PendingText>& files,
              const std::map<std::string, std::string>& refused = {});

/// `list` with the plan's revisions as entries: what a fold makes of its text, in the list's style.
base::Result<std::string> FoldedText(const list::RevisionList& list, const list::ListConfig& config,
                                     const Plan& plan);

/// That, evaluated. Entries that stand in pending files have `pending_file`. The list's own text
/// where the plan has none.
base::Result<list::RevisionList> Folded(const list::RevisionList& list,
                                        const list::ListConfig& config, const Plan& plan);

/// The text of the include file that the compiler sees.
std::string IncludeText(const list::RevisionList& list, const list::ListConfig& config,
                        const Plan& plan);

/// The files that a text merge of three trees has, by their paths: `ours` where it changed a file,
/// else `target`'s. Both sorted by name. `clashes`: names that both sides wrote differently.
std::vector<PendingText> MergeFiles(const std::vector<PendingText>& base,
                                    const std::vector<PendingText>& ours,
                                    const std::vector<PendingText>& target,
                                    std::vector<std::string>& clashes);

}  // namespace revctl::pending
