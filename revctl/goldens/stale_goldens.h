#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "golden/index.h"
#include "golden/stale_records.h"
#include "revctl/config/config.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/tree/file_tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {

/// A pending revision whose goldens have to be written anew before it lands (RV028).
struct StaleGolden {
  std::string revision;
  std::string file;                  ///< `golden/SR_HERO.yaml`, from the repository's root
  std::string message;               ///< which revisions and types, in one sentence
  bool known = true;                 ///< false: it, or what it is compared with, cannot be read
  std::vector<std::string> without;  ///< revisions before it that it was recorded without
};

/// A revision of a list, and whose record of it counts.
struct ListedGolden {
  std::string revision;
  bool judged = false;  ///< the side's, which is judged; else the target's
};

/// A side's record of a revision.
struct RecordHere {
  bool there = false;
  std::string text;
  std::optional<golden::RecordTypes> types;  ///< nothing where it cannot be read
  std::string problem;                       ///< why: "has at line 3: ..."
};
base::Result<RecordHere> ReadRecordHere(const FileTree& side, const std::string& folder,
                                        const std::string& revision);

/// A record and payloads that were not written together.
struct BrokenGolden {
  std::string file;     ///< that is wrong, from the repository's root
  std::string message;  ///< what it is or lacks
  std::string fix;
};
/// Of a record or an addition on a side; nullopt: they fit, or the text is gone or cannot be read
/// (RV020, RV028 and the harness say that). No build.
base::Result<std::optional<BrokenGolden>> FindBroken(const FileTree& side,
                                                     const std::string& folder,
                                                     const golden::FileName& record);
/// Of these revisions, with what was added to them; the first of each, by revision.
base::Result<std::map<std::string, BrokenGolden>> FindBroken(const FileTree& side,
                                                             const std::string& folder,
                                                             const std::set<std::string>& of);
/// Records of what was added to revisions (`SR_X+HASH.yaml`) on a side.
base::Result<std::vector<golden::FileName>> AdditionsOn(const FileTree& side,
                                                        const std::string& folder);

/// Where goldens are looked for. What it points at outlives the question.
struct GoldenSides {
  const git::Repository* repository;
  const FileTree* side;            ///< has the pending records
  std::optional<git::Oid> target;  ///< has the landed ones; nullopt: nothing is stale
  std::string target_label;        ///< `origin/main`
  std::string folder;              ///< of the pending ones, from the repository's root
  std::string landed_folder;       ///< of the landed ones: a change may move the folder
  /// Names that the list once had. What their records say of types still holds. Null: none.
  const list::Names* purged = nullptr;
  /// Records of `side` that were read before; null: none.
  const std::map<std::string, RecordHere>* read = nullptr;
};

/// The pending revisions that were recorded without a revision that stands before them, and that
/// share a type with it which one of the two changes. In the list's order; names decide, numbers
/// only order `landed` and `pending`, which are ascending. A record that cannot be read is stale.
/// A landed revision without a record shares nothing. No build, no process.
base::Result<std::vector<StaleGolden>> FindStaleGoldens(
    const GoldenSides& sides, const std::vector<const list::Entry*>& landed,
    const std::vector<std::string>& pending);

/// The same for a list in its order, in which those to be judged may stand anywhere. One that is
/// not judged knows all before it.
base::Result<std::vector<StaleGolden>> FindStaleGoldens(const GoldenSides& sides,
                                                        const std::vector<ListedGolden>& list);

/// The same of the work tree, for its list as it is now.
base::Result<std::vector<StaleGolden>> StaleGoldens(const Workspace& workspace,
                                                    const ListView& view,
                                                    const std::optional<git::Oid>& target);

/// What writes all of a branch's stale goldens anew, as a message prints it.
std::string RefreshCommand(const config::Config& policy, const std::string& folder);

}  // namespace revctl::commands
