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

/// What revisions that a record was made without change of the values it may hold. Where one of
/// them removes a field, gives it another type or decides otherwise about it, a record that is
/// written anew cannot keep that field's values.
class OthersChanges {
 public:
  /// All records of a list in its order, with what was added to them. `unknown`: the record was
  /// made without this one.
  void Add(const RevisionRecord& record, bool unknown);
  /// A name that was approved for another one.
  void Add(const Approval& approval);

  /// Whether a recorded value may be another one: it lies in a field that they change, it is an
  /// enumerator that they rename, or it follows from others (`#integrity`).
  bool MayChange(const Change& change) const;
  /// Whether what the record's own revision makes of an older golden may be another value: they
  /// make another value of one that the golden had. New fields of theirs are unknown to its code,
  /// and what a field of theirs held that is gone, it reads as before.
  bool MayUpgrade(const std::string& type, const std::string& golden) const {
    return upgraded_.contains({type, golden});
  }

 private:
  using Fields = std::map<std::string, std::vector<std::string>>;  ///< what is recorded, by name

  std::map<std::string, Fields> layouts_;  ///< in force so far, by type
  std::map<std::string, std::set<std::string>> enums_;
  std::set<std::string> fields_, words_;
  std::set<std::pair<std::string, std::string>> upgraded_;  ///< root type, golden
};

/// What a record makes of older goldens, by golden and path: `SR_INITIAL/auto-1` of a root type.
/// Nothing: it is not there any more.
using MadeOfOlder = std::map<std::pair<std::string, std::string>,
                             std::map<std::string, std::optional<std::string>>>;
MadeOfOlder MadeBy(const RevisionRecord& record);

/// A value that a record had, or what it made of an older golden, and that the record which is
/// written in its place does not have.
struct NotKept {
  std::string golden;  ///< `Hero/auto-1`; of an upgrade `SR_INITIAL/auto-1`
  bool upgrade = false;
  std::optional<Change> change;  ///< nothing: the whole golden
  bool dropped = false;          ///< an upgrade that is not told at all any more
  bool explained = false;        ///< by what others changed

  /// "Hero/auto-1: mana was 3, now 9".
  std::string Text() const;
};

/// What `after` lost of `before`, by golden and path. What is new in it is not told.
std::vector<NotKept> FindNotKept(const RevisionRecord& before, const RevisionRecord& after,
                                 const OthersChanges& others);

}  // namespace revctl::golden
