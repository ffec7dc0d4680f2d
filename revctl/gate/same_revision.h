#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::commands {

/// Changed lines of a diff without blanks, each with its sign. Omits lines that contain the
/// revision's name or number, because any two changes that use them share such lines.
using ChangedLines = std::set<std::string>;

/// A commit that adds a revision, and the commit's changes to code, without lists and goldens.
struct AddingCommit {
  git::CommitInfo commit;
  ChangedLines code = {};
};

/// Facts about a revision that two lines of history have added in different commits.
struct TwiceAdded {
  /// Commits of the target's side, which have landed; never empty.
  std::vector<AddingCommit> theirs;
  std::vector<AddingCommit> ours;  ///< commits of the change's side; never empty
  bool same_record = false;    ///< both sides have recorded the same golden record, byte for byte
  ChangedLines our_code = {};  ///< lines that any of our commits changes
  /// Lines changed by those of our commits that add or name the revision.
  ChangedLines our_code_of_it = {};
};

/// Why both sides have the same revision, or None if they are two revisions that share a line. The
/// lists prove nothing, because the line is equal by assumption.
///
/// - SameRecord: both have the same golden record. A record lists the layouts, so these are equal.
/// - SameCommit: one author and author date occur on both sides. Rebase, cherry-pick, amend and
///   `git am` keep both.
/// - Declared: our commit names their author as Co-authored-by.
/// - SameCode: most lines of their commit are also ours, or most lines of our commits that name the
///   revision are also theirs. A squash keeps the lines, alone or with other work. The author does
///   not matter here, since one person may have two branches that took the same number.
/// - SamePerson: one side changes nothing but the list, so that no code can be compared, and one
///   person is an author on both sides.
enum class SameEvidence { None, SameRecord, SameCommit, Declared, SameCode, SamePerson };
SameEvidence WhySame(const TwiceAdded& facts);

/// True if the email addresses or the names are equal, ignoring case. Comparing one of them is
/// enough, because people commit with several addresses.
bool IsSameAuthor(const git::Person& one, const git::Person& other);

/// True if the person is the author or committer, or is named in a line of the message with
/// `Co-authored-by:`, `Signed-off-by:`, or the `Author:` that `git merge --squash` writes.
bool TakesPart(const git::Person& person, const git::CommitInfo& commit);

/// The changes of one commit, from the output of `git log -p --format=%x00%H`.
struct CommitCode {
  git::Oid commit;
  ChangedLines code;
  bool names_it = false;  ///< a changed line contains the revision's name
};
std::vector<CommitCode> ParsePatches(std::string_view text, std::string_view name,
                                     std::optional<std::int64_t> number);

}  // namespace revctl::commands
