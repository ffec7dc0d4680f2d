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
  std::string reason;  ///< the message without its subject, the revision's goldens
  /// False if the revision's record, or a record it is compared with, is unreadable.
  bool known = true;
  /// Earlier revisions that were missing when the goldens were recorded.
  std::vector<std::string> without;
};

/// A revision in a list, as passed to FindStaleGoldens.
struct ListedGolden {
  std::string revision;
  /// If true, check whether the record on `side` is stale. If false, only read the target's record.
  bool judged = false;
};

struct RecordHere {
  bool there = false;
  std::string text;
  /// Types in the record; nullopt if the record is unreadable.
  std::optional<golden::RecordTypes> types;
  std::string problem;  ///< why the record is unreadable, such as "has at line 3: ...";
                        ///< empty if the record is readable
};
base::Result<RecordHere> ReadRecordHere(const Tree& side, const std::string& folder,
                                        const std::string& revision);

/// A record whose payloads do not match it.
struct BrokenGolden {
  std::string file;  ///< path of the faulty file, relative to the repository's root
  std::string message;
  std::string fix;
};
/// Compares the record of a revision or an addition with its payloads. Returns nullopt if they
/// match. Also returns nullopt if the record is missing or unreadable, because RV020, RV028 and the
/// harness report such records.
base::Result<std::optional<BrokenGolden>> FindBroken(const Tree& side, const std::string& folder,
                                                     const golden::FileName& record);
/// Checks the records and additions of the revisions in `of`. Returns the first problem found for
/// each revision, by revision name.
base::Result<std::map<std::string, BrokenGolden>> FindBroken(const Tree& side,
                                                             const std::string& folder,
                                                             const std::set<std::string>& of);
/// Returns the names of the additions' records (`SR_X+HASH.yaml`) on `side`.
base::Result<std::vector<golden::FileName>> AdditionsOn(const Tree& side,
                                                        const std::string& folder);

/// The input of FindStaleGoldens. The pointers must stay valid during the call.
struct GoldenSides {
  const Tree* side;  ///< tree with the pending records
  /// Commit with the landed records. If nullopt, no golden is stale.
  std::optional<git::Oid> target;
  std::string target_label;
  std::string folder;  ///< folder of the pending goldens, relative to the repository's root
  /// Folder of the landed goldens. Differs from `folder` if the change moves the goldens.
  std::string landed_folder;
  /// Names of purged revisions, which are no longer in the list, although their records still
  /// describe type changes. May be null.
  const list::Names* purged = nullptr;
  /// Records on `side` that the caller has already read. May be null.
  const std::map<std::string, RecordHere>* read = nullptr;
};

/// Returns the pending revisions with stale goldens, in list order. Goldens are stale if they were
/// recorded without an earlier revision that shares a type with them, and one of the two revisions
/// changes that type. A pending revision with an unreadable record also counts as stale. A landed
/// revision without a record is assumed to share no type. Identifies revisions by name. `landed`
/// and `pending` must be sorted by number. Does not build or run anything.
base::Result<std::vector<StaleGolden>> FindStaleGoldens(
    const GoldenSides& sides, const std::vector<const list::Entry*>& landed,
    const std::vector<std::string>& pending);

/// Returns the stale revisions of a list, in list order. Checks only the revisions marked as
/// `judged`, which may be anywhere in the list. Assumes that the goldens of all other revisions
/// were recorded on top of all earlier revisions.
base::Result<std::vector<StaleGolden>> FindStaleGoldens(const GoldenSides& sides,
                                                        const std::vector<ListedGolden>& list);

base::Result<std::vector<StaleGolden>> StaleGoldens(const Workspace& workspace,
                                                    const ListView& view,
                                                    const std::optional<git::Oid>& target);

/// Returns the command that regenerates all stale goldens of a branch, for messages.
std::string RefreshCommand(const config::Config& policy, const std::string& folder);

}  // namespace revctl::commands
