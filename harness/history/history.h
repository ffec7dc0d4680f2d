#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/types/type_info.h>
#include <revctl/list_table.h>

#include "golden/store.h"

namespace revctl::harness {

/// A revision of the current list, with its records.
struct Revision {
  std::string name;
  /// current number; numbers in records are those at the time of recording
  std::int64_t number = 0;
  std::uint64_t lineage = 0;
  /// true if the revision was recorded: there is a record file, which may be damaged, or the record
  /// was lost
  bool exists = false;
  /// true if the revision was recorded, but its record is damaged or lost
  bool unknown = false;
  /// If the record is lost: which other record still refers to it, and how. Empty for a damaged
  /// record, because the store reports it.
  std::string lost_since;
  const golden::StoredRecord* record = nullptr;
  std::vector<const golden::StoredRecord*> additions;
};

/// A golden with its record and its payload. The pointers refer to the store.
struct Golden {
  std::string id;            ///< such as `SR_INITIAL/auto-1`
  std::size_t revision = 0;  ///< index of the golden's revision in History::revisions()
  const golden::StoredRecord* record = nullptr;
  const golden::Case* item = nullptr;
  /// Must not be called for a large golden. Use History::ReadLarge instead.
  std::span<const std::byte> payload() const {
    return renumbered ? std::span(*renumbered) : golden::Store::Payload(*record, *item);
  }
  /// the large golden to which `item` belongs; null for a small golden
  const golden::LargeCase* large = nullptr;
  /// The payload with the number of a later revision that inherits the golden; see
  /// golden::HeldVersion. Usually null.
  std::shared_ptr<const std::vector<std::byte>> renumbered = nullptr;
};

/// Combines the store with the current list: the revisions, each with its recorded and inherited
/// data. Revisions that are older than the list's oldest one are not read. Their last recorded
/// layouts and goldens are carried over to the oldest revision, because they were in force there.
class History {
 public:
  /// `list` and `store` must outlive the History.
  History(const revctl::ListTable& list, const golden::Store& store);

  const std::vector<Revision>& revisions() const { return revisions_; }
  bool empty() const { return revisions_.empty(); }
  const Revision& latest() const { return revisions_.back(); }
  std::int64_t oldest() const { return revisions_.front().number; }
  const Revision* Find(std::string_view name) const;
  const Revision* Find(std::int64_t number) const;
  /// Returns the index of `revision`, which must be an element of revisions().
  std::size_t IndexOf(const Revision& revision) const {
    return static_cast<std::size_t>(&revision - revisions_.data());
  }

  /// Indices of the oldest and the newest recorded revision, or none() if nothing is recorded.
  static constexpr std::size_t none() { return static_cast<std::size_t>(-1); }
  std::size_t oldest_recorded() const { return oldest_recorded_; }
  std::size_t newest_recorded() const { return newest_recorded_; }

  /// True if every record in the range (from, to] can be read. Otherwise, layouts inherited across
  /// the range are unknown, and findings must not rely on them.
  bool Known(std::size_t from, std::size_t to) const;
  /// Like Known, but also requires that every revision in the range has a record.
  bool Recorded(std::size_t from, std::size_t to) const;
  /// True if no record is damaged, lost, or missing between two other records.
  bool AllKnown() const { return unknown_.empty() && gaps_.empty(); }

  /// Returns the layout in force at revision `index`, whether it was recorded there or inherited.
  /// Returns null if there is no such layout, or if it is unknown. The pointer is valid while both
  /// the store and the History are alive.
  const golden::RecordedType* TypeAt(std::string_view type, std::size_t index) const;
  const revctl::EnumLayout* EnumAt(std::string_view type, std::size_t index) const;
  /// Returns the index of the revision that recorded the result of TypeAt, or none() if there is no
  /// result.
  std::size_t TypeRecordedAt(std::string_view type, std::size_t index) const;
  std::size_t EnumRecordedAt(std::string_view type, std::size_t index) const;

  /// Returns the names of all record types with a recorded layout, sorted.
  std::vector<std::string> RecordedTypes() const;

  /// Returns all enums with a recorded layout, by name. Each has the indices of the revisions that
  /// recorded it, oldest first.
  const std::map<std::string, std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>,
                 std::less<>>&
  enums() const {
    return enums_;
  }

  /// Returns the goldens of a root type, oldest first. Does not include large goldens.
  const std::vector<Golden>& Goldens(std::string_view type) const;
  /// Returns the large goldens of a root type, oldest first.
  const std::vector<Golden>& Large(std::string_view type) const;
  /// Returns the goldens of Goldens() and Large() together.
  std::vector<Golden> SmallAndLarge(std::string_view type) const;
  /// Reads the payload of a large golden from the store's folder. If the number of its revision has
  /// moved, and payloads of the type contain the number, replaces the number.
  golden::Result<std::vector<std::byte>> ReadLarge(const Golden& golden,
                                                   bool even_damaged = false) const;
  /// True for a golden of a purged revision, which now represents files of the list's oldest
  /// revision.
  bool Carried(const Golden& golden) const {
    return golden.record->record.revision != revisions_[golden.revision].name;
  }
  /// Returns the index of the first later revision whose files may differ from this golden, because
  /// the type has other goldens at that revision, or because the revision is not recorded.
  std::size_t InheritedUntil(const Golden& golden) const;
  /// Like InheritedUntil, but for a type whose bytes only the program's streams understand. A
  /// revision inherits a golden of such a type only if `record` ran at that revision and its writer
  /// still produced the golden's bytes, except for the number of the revision; see Recording. No
  /// revision inherits an imported file.
  std::size_t OpaqueUntil(const Golden& golden) const;
  /// Returns the golden of an Opaque type as a file of revision `index`, which inherits the golden.
  /// If payloads of the type contain the number of their revision, it is replaced by that of
  /// `index`.
  Golden AsFileOf(const Golden& golden, std::size_t index) const;
  /// Returns the place in payloads of an Opaque type that contains the number of their revision.
  /// Returns null if no record of the type names such a place.
  const golden::HeldVersion* HeldVersionOf(std::string_view type) const;
  /// Returns the number of the revision that the payload contains if payloads of the type contain
  /// one. Must not be called for a large golden.
  std::int64_t HeldNumber(const Golden& golden) const {
    return golden.renumbered ? revisions_[golden.revision].number : golden.record->record.number;
  }
  std::vector<std::string> GoldenTypes() const;

  /// Returns the values that the current code should read from a golden. These are the recorded
  /// values with the changes made by later revisions and by approvals.
  std::vector<golden::Leaf> ExpectedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/true));
  }
  /// Returns the expected in-memory values (kInMemory) of the golden's WireAs types. Empty if they
  /// were not recorded.
  std::vector<golden::Leaf> ExpectedMemory(const Golden& item) const;
  /// Like ExpectedUpgrade, but without the changes made by approvals.
  std::vector<golden::Leaf> RecordedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/false));
  }
  /// True if the code that last recorded these types compared the revision with a number in the
  /// range (from, to]. Such code may treat files of the two revisions differently.
  bool ToldApart(const std::map<std::string, const revctl::TypeInfo*>& types, std::int64_t from,
                 std::int64_t to) const;

  /// Returns the additions to revisions that are older than the list's oldest one. They are not
  /// read.
  const std::vector<const golden::StoredRecord*>& unread_additions() const {
    return unread_additions_;
  }
  /// Returns the records of revisions that the current list does not contain.
  const std::vector<const golden::StoredRecord*>& strangers() const { return strangers_; }

 private:
  std::vector<golden::Leaf> Upgraded(const Golden& item, bool approved) const;
  static std::vector<golden::Leaf> WithoutMemory(std::vector<golden::Leaf> leaves);
  void Carry(std::vector<const golden::StoredRecord*> purged);
  const golden::HeldVersion* HeldAt(std::string_view type, std::size_t index) const;
  void Index(const revctl::ListTable& list, const golden::Store& store);
  /// Returns the place of the recorded number in a payload if the golden's revision now has another
  /// number; otherwise, or if no record contains the place, null.
  const golden::HeldVersion* PlaceToRenumber(const Golden& golden,
                                             std::span<const std::byte> payload) const;
  void Renumber();
  void AddApproved(const golden::Store& store, std::size_t index);
  void FindLost(const golden::Store& store);
  void FindGap();
  void Lose(std::string_view revision, const std::string& since);

  std::vector<Revision> revisions_;
  std::size_t oldest_recorded_ = none(), newest_recorded_ = none();
  std::map<std::string, std::vector<std::pair<std::size_t, const golden::RecordedType*>>,
           std::less<>>
      types_;
  /// layouts of records whose numbers have moved since, with current numbers
  std::deque<std::deque<golden::RecordedType>> renumbered_;
  std::map<std::string, std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>, std::less<>>
      enums_;
  /// places of the number in payloads, by type, with the indices of the revisions that inherit
  std::map<std::string, std::vector<std::pair<std::size_t, const golden::HeldVersion*>>,
           std::less<>>
      held_;
  using ByType = std::map<std::string, std::vector<Golden>, std::less<>>;
  ByType goldens_, large_;
  const golden::Store* store_;
  /// The changes that a record or an approval makes to a golden's upgraded value.
  struct UpgradeStep {
    const std::vector<golden::Change>* changes;
    bool approved;
  };
  /// Upgrade steps in the order in which they apply. The keys have the form "type case".
  std::map<std::string, std::vector<UpgradeStep>, std::less<>> upgrades_;
  std::vector<const golden::StoredRecord*> strangers_;
  std::vector<const golden::StoredRecord*> unread_additions_;
  std::vector<std::size_t> unknown_;  ///< indices of damaged or lost records, in ascending order
  /// indices of revisions without a record that are between recorded ones, in ascending order
  std::vector<std::size_t> gaps_;
};

/// True if `record` made this record with all types of the program. If so, a type without goldens
/// in this record was compared with the previous revision and found unchanged. Imports, backfills
/// and copies from history do not compare the other types.
bool ComparesAllTypes(const golden::RevisionRecord& record);

/// Returns the layouts of a record with current numbers. When the number of a pending revision
/// moves, its goldens are kept, because they refer to revisions by name. Only `from`, `to` and
/// `compared` contain numbers, which are those at the time of recording. The record's `pending` map
/// translates these numbers to names. If there is no such map, derives the translation from the
/// branch's earlier records, assuming that numbers only move up and keep their order. Returns
/// nothing if no number moved, or if the assumption does not hold.
std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record);

}  // namespace revctl::harness
