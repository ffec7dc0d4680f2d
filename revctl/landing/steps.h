#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

namespace revctl::commands {

// The steps between join and push. Each step commits its changes, so the work tree matches HEAD
// before and after it.

/// Runs the gate on HEAD after the repairs that need no user: renumbers, and records stale goldens
/// again with the `goldens:` command. Returns the remaining findings, or nullopt if the target has
/// moved meanwhile.
base::Result<std::optional<std::vector<findings::Finding>>> CheckLanding(Landing& landing);
/// Findings that only a person can decide, before the join: a rebase drops a commit whose line the
/// target has as well. Empty if the gate cannot check the list until it is joined.
base::Result<std::vector<findings::Finding>> FindQuestions(const Landing& landing);
/// Runs the gate over the fold at HEAD, compared with the commit below it.
base::Result<std::vector<findings::Finding>> CheckFold(const Landing& landing);
/// Runs the gate without changing anything.
base::Result<std::vector<findings::Finding>> CheckHead(const Landing& landing);
/// Returns `at_head` with the finding that the server would report for a commit before HEAD that
/// lands unchanged (gate/intermediate_commits.h).
base::Result<std::vector<findings::Finding>> CheckOwnCommits(
    const Landing& landing, std::vector<findings::Finding> at_head);

/// Assigns numbers in the lists in `files` that can land and that the ledger has confirmed.
base::Result<base::Done> GiveNumbers(Landing& landing, const std::vector<std::string>& files);
/// True if one of the findings is fixed by recording goldens again.
bool AsksForGoldens(const std::vector<findings::Finding>& found);

/// Runs the `verify:` command unless this tree has passed it; Exit::Findings if it fails.
base::Result<base::Done> Verify(Landing& landing);

/// Runs one of the target's commands with `sh -c`; Exit::Findings if it fails.
base::Result<base::Done> RunLine(Landing& landing, const std::string& key, const std::string& line);

/// Returns the golden folders of all lists, relative to the repository's root.
std::vector<std::string> GoldenFolders(const Workspace& workspace);
/// Returns the files of all lists, relative to the repository's root.
std::vector<std::string> ListFiles(const Workspace& workspace);

/// A revision that the landing gave to the target.
struct LandedRevision {
  std::string list, name;
  std::int64_t number = 0;
  bool was_pending = false;  ///< it waited on the target for a fold
};
/// Returns the revisions that `commit` has and the target had not when it was fetched.
base::Result<std::vector<LandedRevision>> NewRevisions(const Landing& landing,
                                                       const git::Oid& commit);

}  // namespace revctl::commands
