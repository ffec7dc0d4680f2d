#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "golden/approval.h"
#include "golden/result.h"
#include "golden/revision_record.h"

namespace revctl::golden {

/// Changes made by revisions that were unknown when a record was made. If such a revision removes a
/// field or changes its type or condition, regenerated goldens cannot keep the field's values.
class OthersChanges {
 public:
  /// Adds a record. The caller must add all records in list order, each followed by its additions.
  /// `unknown` is true if the record under test was made without this revision.
  void Add(const RevisionRecord& record, bool unknown);
  /// Adds an approval. Ignores approvals other than renames.
  void Add(const Approval& approval);

  /// True if a recorded value may differ because it belongs to a changed field, is an enumerator
  /// that was removed or renamed, or is derived from other values (`#integrity`).
  bool MayChange(const Change& change) const;
  /// True if an unknown revision changes a value of the older golden when upgrading it, because the
  /// record's own upgrade may then have a different result. Values that unknown revisions only add
  /// or remove do not matter: the record's code does not see added fields and still reads removed
  /// ones.
  bool MayUpgrade(const std::string& type, const std::string& golden) const {
    return upgraded_.contains({type, golden});
  }

 private:
  using Fields = std::map<std::string, std::vector<std::string>>;  ///< layouts by field name

  std::map<std::string, Fields> layouts_;  ///< by type; the latest layout added so far
  std::map<std::string, std::set<std::string>> enums_;
  std::set<std::string> fields_, words_;
  std::set<std::pair<std::string, std::string>> upgraded_;  ///< pairs of root type and golden
};

/// The results of a record's upgrades of older goldens, by root type, golden (`SR_INITIAL/auto-1`)
/// and path. nullopt means that the upgrade removes the path.
using MadeOfOlder = std::map<std::pair<std::string, std::string>,
                             std::map<std::string, std::optional<std::string>>>;
MadeOfOlder MadeBy(const RevisionRecord& record);

/// A value or an upgrade that a record contains but its replacement lacks.
struct NotKept {
  std::string golden;  ///< `Hero/auto-1`; for an upgrade `SR_INITIAL/auto-1`
  bool upgrade = false;
  std::optional<Change> change;  ///< nullopt if the whole golden is missing
  bool dropped = false;          ///< true if the replacement has no upgrade for this path
  bool explained = false;        ///< true if an unknown revision accounts for the difference

  /// Returns a description such as "Hero/auto-1: mana was 3, now 9".
  std::string Text() const;
};

/// Returns the values and upgrades of `before` that `after` lacks, by golden and path. Additions
/// are not reported.
std::vector<NotKept> FindNotKept(const RevisionRecord& before, const RevisionRecord& after,
                                 const OthersChanges& others);

}  // namespace revctl::golden
