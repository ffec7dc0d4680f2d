#pragma once
#include <optional>
#include <vector>

#include "revctl/findings/finding.h"
#include "revctl/landing/landing.h"

namespace revctl::commands {

// What lies between join and push. Each step commits what it changed, so that the work tree is as
// HEAD has it before and after.

/// The gate over HEAD, after what needs no person is mended:
/// numbers, and by the `goldens:` command stale goldens. Gives the findings that remain; nullopt
/// where the target has moved meanwhile.
base::Result<std::optional<std::vector<findings::Finding>>> CheckLanding(Landing& landing);
/// The gate alone; changes nothing.
base::Result<std::vector<findings::Finding>> CheckHead(const Landing& landing);
/// What the server will say of the commits before HEAD, where they land as they are:
/// gate/intermediate_commits.h.
base::Result<base::Done> CheckOwnCommits(const Landing& landing,
                                         std::vector<findings::Finding>& found);

/// `renumber` for the lists in `files`: numbers that can land, confirmed by the ledger.
base::Result<base::Done> GiveNumbers(Landing& landing, const std::vector<std::string>& files);
/// Does one of them say that goldens have to be recorded again?
bool AsksForGoldens(const std::vector<findings::Finding>& found);

/// Runs the `verify:` command, unless this tree has passed it: Exit::Findings where it fails.
base::Result<base::Done> Verify(Landing& landing);

/// Runs one of the target's commands by `sh -c`; Exit::Findings where it fails.
base::Result<base::Done> RunLine(Landing& landing, const std::string& key, const std::string& line);

/// The golden folders of all lists, from the repository's root.
std::vector<std::string> GoldenFolders(const Workspace& workspace);
/// The lists' files, from the repository's root.
std::vector<std::string> ListFiles(const Workspace& workspace);

/// What `to` has and `from` has not.
struct LandedRevision {
  std::string list, name;
  std::int64_t number = 0;
};
base::Result<std::vector<LandedRevision>> NewRevisions(const Workspace& workspace,
                                                       const git::Oid& from, const git::Oid& to);

}  // namespace revctl::commands
