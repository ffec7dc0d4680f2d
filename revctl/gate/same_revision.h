#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/git/repository.h"

namespace revctl::commands {

/// Changed lines of a diff, each with its sign but without whitespace. Omits lines that contain the
/// revision's name or number, because changes that use the same name or number always share such
/// lines.
using ChangedLines = std::set<std::string>;

/// A commit that adds a revision, and the commit's changes to code, without lists and goldens.
struct AddingCommit {
  git::CommitInfo commit;
  ChangedLines code = {};
};

/// Facts about a revision that was added on two lines of history, in different commits.
struct TwiceAdded {
  /// Commits on the target's side, which have landed; never empty.
  std::vector<AddingCommit> theirs;
  std::vector<AddingCommit> ours;  ///< commits on the change's side; never empty
  bool same_record = false;    ///< true if both sides have the same golden record, byte for byte
  ChangedLines our_code = {};  ///< lines that any of our commits changes
  /// Lines changed by our commits that add or name the revision.
  ChangedLines our_code_of_it = {};
};

/// Evidence that both sides have added the same revision, or None if two different revisions have
/// the same name and number. The lists prove nothing, because they contain the same line in either
/// case.
///
/// - SameRecord: both sides have the same golden record. A record lists the layouts, so the layouts
///   are also the same.
/// - SameCommit: the sides have commits with the same author and author date, which rebase,
///   cherry-pick, amend and `git am` keep.
/// - Declared: one of our commits names their author in `Co-authored-by`.
/// - SameCode: most lines of their commit are also ours, or most lines of our commits that name the
///   revision are also theirs. A squash keeps these lines, possibly mixed with other work. Ignores
///   the author, because one person may have two branches that took the same number.
/// - SamePerson: one side changes only the list, so no code can be compared, and the two sides
///   share an author.
enum class SameEvidence { None, SameRecord, SameCommit, Declared, SameCode, SamePerson };
SameEvidence WhySame(const TwiceAdded& facts);

/// True if the email addresses or the names are equal, ignoring case. Only one of them has to be
/// equal, because people commit with several addresses.
bool IsSameAuthor(const git::Person& one, const git::Person& other);

/// True if the person is the commit's author or committer, or if the message names the person in a
/// `Co-authored-by:` or `Signed-off-by:` line, or in an `Author:` line as written by `git merge
/// --squash`.
bool TakesPart(const git::Person& person, const git::CommitInfo& commit);

/// The changes of one commit, from the output of `git log -p --format=%x00%H`.
struct CommitCode {
  git::Oid commit;
  ChangedLines code;
  bool names_it = false;  ///< true if a changed line contains the revision's name
};
std::vector<CommitCode> ParsePatches(std::string_view text, std::string_view name,
                                     std::optional<std::int64_t> number);

}  // namespace revctl::commands
