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

/// The types in a record, without its values. They are enough to determine, without building the
/// program, whether two records share a type that one of them changes.
struct RecordTypes {
  /// A record type, and the names of all types in its fields, including closed REMs. For example, a
  /// field `vector<game::Item>` contributes `vector`, `game::Item` and the whole wire type. Sorted,
  /// without duplicates.
  struct Parts {
    std::string type;
    std::vector<std::string> names;
  };
  std::string revision;
  std::int64_t number = 0;          ///< RevisionRecord::number, as recorded
  std::string previous;             ///< RevisionRecord::previous
  std::vector<std::string> behind;  ///< RevisionRecord::behind
  std::vector<Parts> layouts;       ///< record types whose layout changes in this record
  std::vector<std::string> enums;   ///< enums that change in this record
  std::vector<std::string> roots;   ///< root types of its goldens and upgrades
  std::vector<std::string> cases;   ///< sorted names of its goldens: `Hero/auto-1`
};

/// Maximum nesting of angle brackets in a wire type. TypesOf ignores names that are nested more
/// deeply, and ReadRecordTypes returns an error.
inline constexpr std::size_t kDeepestWireType = 64;

RecordTypes TypesOf(const RevisionRecord& record);

/// Parses a record and keeps only its types. Messages refer to the record as `file`.
Result<RecordTypes> ReadRecordTypes(std::string_view text, std::string_view file);

// The rest of this file finds stale pending records. A record is stale if it was made without a
// revision that now precedes it, and both share a type that one of the two changes. The order of
// the list and the text of the records are enough to determine this.

/// A revision in the list, with the provenance of its record.
struct ListedRecord {
  std::string name;
  bool pending = false;   ///< true if it has not landed, so its record can still be replaced
  bool recorded = false;  ///< true if it has a record to compare with others
  std::string previous;   ///< RevisionRecord::previous; empty if unknown
  std::vector<std::string> behind;  ///< RevisionRecord::behind
};

class RecordOrder {
 public:
  explicit RecordOrder(std::vector<ListedRecord> list);

  const std::vector<ListedRecord>& list() const { return list_; }

  /// Returns the recorded revisions whose order relative to list()[index] has changed since its
  /// record was made: revisions that precede it but were unknown at that time, and revisions that
  /// follow it but were known at that time. The result contains ascending indices. A record knows
  /// the revisions in its `previous` chain, and everything before the first landed revision in this
  /// chain. It knows nothing if `previous` is empty or not in the list. A record with a `behind`
  /// list knows the revisions in `behind` instead, and everything before the first of them.
  std::vector<std::size_t> MadeWithout(std::size_t index) const;

  /// Returns a revision that is missing from the list although the record was made on top of it, or
  /// "" if the list has all of them. If a revision is missing, MadeWithout() cannot determine which
  /// revisions the record knows, so it returns all revisions that the record might not know.
  std::string_view Gone(std::size_t index) const { return Before(index).gone; }

 private:
  struct Way {
    std::vector<bool> known;
    std::optional<std::size_t> landed;  ///< all revisions before this index are known
    std::string_view gone;
  };
  Way Before(std::size_t index) const {
    return list_[index].behind.empty() ? Follow(index) : Said(index);
  }
  Way Follow(std::size_t index) const;  ///< follows the chain of `previous`
  Way Said(std::size_t index) const;    ///< uses the entries of `behind`

  std::vector<ListedRecord> list_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
};

struct SharedTypes {
  std::size_t other = 0;        ///< the first revision that shares a type
  std::size_t others_more = 0;  ///< number of other revisions that also share a type
  /// True if `other` changes `types` and the record uses them; false if the record changes them and
  /// `other` uses them.
  bool other_changes = false;
  std::vector<std::string> types;  ///< sorted
};

/// The types of all records in a list. A record uses its root types, the types that it changes, and
/// all types inside those, according to the layouts in force at its place in the list.
class RecordGraph {
 public:
  /// Adds a record. Records must be added in list order. A record and its additions have the same
  /// index.
  void Add(std::size_t index, const RecordTypes& record);

  /// Compares the record at `index` with each of `others`, in both directions. The resulting
  /// `types` are empty if the records share no changed type. Takes linear time and memory.
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
    bool any = false;  ///< true for an object of unknown class, which may contain any type
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

/// Describes a result of Compare for list()[index] in one sentence: "the goldens of SR_HERO are
/// stale: SR_ITEM has landed since they were recorded and changes Item, which they contain".
std::string StaleText(const RecordOrder& order, std::size_t index, const SharedTypes& shared);
/// Returns only the part of StaleText after the colon.
std::string WhyStale(const RecordOrder& order, std::size_t index, const SharedTypes& shared);

}  // namespace revctl::golden
