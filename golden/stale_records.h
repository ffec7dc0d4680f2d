#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "golden/result.h"

namespace revctl::golden {

struct RevisionRecord;

/// What a record says about types, without its values: enough to see, without a build, whether two
/// records share a type that one of them changes.
struct RecordTypes {
  /// A record type, and every name in the wire types of its fields, those of closed REMs included:
  /// `vector<game::Item>` gives `vector`, `game::Item` and itself. Sorted, each once.
  struct Parts {
    std::string type;
    std::vector<std::string> names;
  };
  std::string revision;
  std::int64_t number = 0;          ///< RevisionRecord::number: as it was recorded
  std::string previous;             ///< RevisionRecord::previous
  std::vector<std::string> behind;  ///< RevisionRecord::behind
  std::vector<Parts> layouts;       ///< record types whose layout it records: they changed there
  std::vector<std::string> enums;   ///< enums, likewise
  std::vector<std::string> roots;   ///< root types of its goldens and changed upgrades
  std::vector<std::string> cases;   ///< `Hero/auto-1`: names of its goldens, sorted
};

/// A wire type with deeper angle brackets gives no further names; ReadRecordTypes refuses it.
inline constexpr std::size_t kDeepestWireType = 64;

RecordTypes TypesOf(const RevisionRecord& record);

/// ParseRecord, and no more kept than is asked for here. `file` is for messages.
Result<RecordTypes> ReadRecordTypes(std::string_view text, std::string_view file);

// Which pending records were made without a revision that now stands before them, and share a type
// with it that one of the two changes. Pure: the list's order and the records' texts decide.

/// A revision of the list, and when its own record was made.
struct ListedRecord {
  std::string name;
  bool pending = false;             ///< it has not landed: its record can still be written anew
  bool recorded = false;            ///< it has a record that others are compared with
  std::string previous;             ///< RevisionRecord::previous; empty: the record does not say
  std::vector<std::string> behind;  ///< RevisionRecord::behind
};

/// The revisions of a list in its order.
class RecordOrder {
 public:
  explicit RecordOrder(std::vector<ListedRecord> list);

  const std::vector<ListedRecord>& list() const { return list_; }

  /// Ascending indices of recorded revisions that stand before list()[index] and that its record
  /// was made without. Also those that stand behind it and that it was made with. `previous` leads
  /// from record to record; the first landed one on that way knows all before it. A `previous` that
  /// the list does not have, or none, knows nothing. A record that says `behind` knows the first of
  /// those with all before it, and the others.
  std::vector<std::size_t> MadeWithout(std::size_t index) const;

  /// The revision that the record was made with and the list has no longer: what MadeWithout gives
  /// is then all that it may not know. Empty where there is none.
  std::string_view Gone(std::size_t index) const { return Before(index).gone; }

 private:
  struct Way {
    std::vector<bool> known;
    std::optional<std::size_t> landed;  ///< all before this one are known
    std::string_view gone;
  };
  Way Before(std::size_t index) const {
    return list_[index].behind.empty() ? Follow(index) : Said(index);
  }
  Way Follow(std::size_t index) const;  ///< by `previous`
  Way Said(std::size_t index) const;    ///< by `behind`

  std::vector<ListedRecord> list_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

/// What two records share.
struct SharedTypes {
  std::size_t other = 0;           ///< the first revision that shares something
  std::size_t others_more = 0;     ///< how many more do
  bool other_changes = false;      ///< `types` are changed by `other`, and the record reaches them;
                                   ///< else the record changes them, and `other` reaches them
  std::vector<std::string> types;  ///< sorted
};

/// Types of all records of a list. A record reaches its root types, the types that it changes, and
/// what those hold, by the layouts in force at its place in the list.
class RecordGraph {
 public:
  /// Records in the list's order; several of one index (additions) count as one.
  void Add(std::size_t index, const RecordTypes& record);

  /// Compares the record at `index` with each of `others`, in both directions. `types` is empty
  /// where they share nothing. Time and memory are linear in what was added.
  SharedTypes Compare(std::size_t index, std::span<const std::size_t> others) const;

 private:
  using Id = std::size_t;
  struct Layout {
    std::size_t index;
    std::vector<Id> parts;
  };
  struct Node {
    std::string name;
    std::vector<Layout> layouts;  ///< ascending by index
    bool any = false;             ///< an object of any class
  };
  struct Touched {
    std::vector<Id> changed, roots;
  };

  Id IdOf(const std::string& name);
  const std::vector<Id>& PartsAt(Id type, std::size_t index) const;
  std::vector<bool> Reached(const Touched& from, std::size_t index) const;
  std::vector<bool> Above(const std::vector<Id>& changed, std::size_t index) const;
  const Touched& At(std::size_t index) const;

  std::vector<Node> nodes_;
  std::unordered_map<std::string, Id> ids_;
  std::map<std::size_t, Touched> touched_;
};

/// "the goldens of SR_HERO are stale: SR_ITEM has landed since they were recorded and changes Item,
/// which they reach": what Compare found about list()[index], in one sentence.
std::string StaleText(const RecordOrder& order, std::size_t index, const SharedTypes& shared);

}  // namespace revctl::golden
