#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

namespace revctl::commands {

// The steps between join and push. Each step commits its changes, so the work tree matches HEAD
// before and after every step.

/// Makes the repairs that need no user: renumbers revisions, and regenerates stale goldens with the
/// `goldens:` command. Then runs the gate on HEAD and returns the remaining findings, or nullopt if
/// the target has moved in the meantime.
base::Result<std::optional<std::vector<findings::Finding>>> CheckLanding(Landing& landing);
/// Returns the findings that need a person's decision. Must be called before the join, because a
/// rebase drops commits that only add a line that the target already has. Returns no findings if
/// the gate cannot check the list yet.
base::Result<std::vector<findings::Finding>> FindQuestions(const Landing& landing);
/// Runs the gate on the fold at HEAD, compared with its parent commit.
base::Result<std::vector<findings::Finding>> CheckFold(const Landing& landing);
/// Runs the gate on HEAD without changing anything.
base::Result<std::vector<findings::Finding>> CheckHead(const Landing& landing);
/// Returns `at_head`, plus a finding if the server would reject an earlier commit of the branch
/// (gate/intermediate_commits.h). Skips that check unless the branch's commits land unchanged.
base::Result<std::vector<findings::Finding>> CheckOwnCommits(
    const Landing& landing, std::vector<findings::Finding> at_head);

/// Assigns numbers to the pending revisions of the lists in `files` so that the revisions can land,
/// has the ledger confirm the numbers, and commits the lists.
base::Result<base::Done> GiveNumbers(Landing& landing, const std::vector<std::string>& files);
/// True if regenerating goldens fixes at least one of the findings.
bool AsksForGoldens(const std::vector<findings::Finding>& found);

/// Runs the `verify:` command unless this tree has passed it already. Fails with Exit::Findings if
/// the command fails.
base::Result<base::Done> Verify(Landing& landing);

/// Runs one of the target's commands with `sh -c`. Fails with Exit::Findings if the command fails.
base::Result<base::Done> RunLine(Landing& landing, const std::string& key, const std::string& line);

/// Returns the golden folders of all lists, relative to the repository's root.
std::vector<std::string> GoldenFolders(const Workspace& workspace);
/// Returns the files of all lists, relative to the repository's root.
std::vector<std::string> ListFiles(const Workspace& workspace);

/// A revision that the landing adds to the target.
struct LandedRevision {
  std::string list, name;
  std::int64_t number = 0;
  bool was_pending = false;  ///< true if it was already waiting for a fold on the target
};
/// Returns the revisions in the lists of `commit` that were missing from the target's lists when
/// the target was fetched.
base::Result<std::vector<LandedRevision>> NewRevisions(const Landing& landing,
                                                       const git::Oid& commit);

}  // namespace revctl::commands
