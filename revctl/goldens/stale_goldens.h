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
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {

/// A pending revision whose goldens must be regenerated before it lands (RV028).
struct StaleGolden {
  std::string revision;
  std::string file;  ///< `golden/SR_HERO.yaml`, relative to the repository's root
  std::string message;
  bool known = true;  ///< false if its record, or one it is compared with, is unreadable
  std::vector<std::string> without;  ///< earlier revisions that its record does not include
};

/// A revision of a list, and the side whose record is read.
struct ListedGolden {
  std::string revision;
  bool judged = false;  ///< read the record of `side` and check it; else read the target's
};

struct RecordHere {
  bool there = false;
  std::string text;
  std::optional<golden::RecordTypes> types;  ///< nullopt if the record is unreadable
  std::string problem;                       ///< why it is unreadable: "has at line 3: ..."
};
base::Result<RecordHere> ReadRecordHere(const Tree& side, const std::string& folder,
                                        const std::string& revision);

/// A record and payloads that do not belong together.
struct BrokenGolden {
  std::string file;  ///< path of the wrong file, relative to the repository's root
  std::string message;
  std::string fix;
};
/// Checks the record of a revision or an addition against its payloads. Returns nullopt if they
/// fit, or if the record is missing or unreadable (RV020, RV028 and the harness report that).
base::Result<std::optional<BrokenGolden>> FindBroken(const Tree& side, const std::string& folder,
                                                     const golden::FileName& record);
/// Checks records and additions of these revisions. Returns the first problem of each, by name.
base::Result<std::map<std::string, BrokenGolden>> FindBroken(const Tree& side,
                                                             const std::string& folder,
                                                             const std::set<std::string>& of);
/// Returns the records of additions (`SR_X+HASH.yaml`) on a side.
base::Result<std::vector<golden::FileName>> AdditionsOn(const Tree& side,
                                                        const std::string& folder);

/// Inputs for FindStaleGoldens. The pointers must stay valid during the call.
struct GoldenSides {
  const Tree* side;                ///< has the pending records
  std::optional<git::Oid> target;  ///< has the landed records; nullopt: nothing is stale
  std::string target_label;
  std::string folder;         ///< of the pending goldens, relative to the repository's root
  std::string landed_folder;  ///< of the landed goldens; differs if the change moves the folder
  /// Names removed from the list. Their records still describe type changes. May be null.
  const list::Names* purged = nullptr;
  /// Records of `side` that have been read already. May be null.
  const std::map<std::string, RecordHere>* read = nullptr;
};

/// Returns the pending revisions, in list order, whose goldens were recorded without an earlier
/// revision that shares a type with them, if one of the two changes that type. Unreadable records
/// are returned as stale; a landed revision without a record shares nothing. Revisions are matched
/// by name; numbers only order `landed` and `pending`, which must be ascending. Runs no build and
/// no process.
base::Result<std::vector<StaleGolden>> FindStaleGoldens(
    const GoldenSides& sides, const std::vector<const list::Entry*>& landed,
    const std::vector<std::string>& pending);

/// Returns the stale revisions of a list, in the list's order. The `judged` revisions may be
/// anywhere in it; the others are assumed to know all revisions before them.
base::Result<std::vector<StaleGolden>> FindStaleGoldens(const GoldenSides& sides,
                                                        const std::vector<ListedGolden>& list);

base::Result<std::vector<StaleGolden>> StaleGoldens(const Workspace& workspace,
                                                    const ListView& view,
                                                    const std::optional<git::Oid>& target);

/// Returns the command that regenerates all stale goldens of a branch, for messages.
std::string RefreshCommand(const config::Config& policy, const std::string& folder);

}  // namespace revctl::commands
