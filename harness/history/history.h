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
  /// current number; records contain the numbers at the time of recording
  std::int64_t number = 0;
  std::uint64_t lineage = 0;
  /// true if the revision was recorded, even if the record is now damaged or lost
  bool exists = false;
  /// true if the revision was recorded, but its record is damaged or lost
  bool unknown = false;
  /// If the record is lost, describes how another record still refers to it. Empty for a damaged
  /// record, which the store reports.
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
  /// the large golden of `item`; null for a small golden
  const golden::LargeCase* large = nullptr;
  /// The payload with the number of a later revision that inherits the golden; see
  /// golden::HeldVersion. Usually null.
  std::shared_ptr<const std::vector<std::byte>> renumbered = nullptr;
};

/// Combines the store with the current list: each revision with its recorded and inherited data.
/// For revisions older than the list's oldest one, keeps only the last recorded layouts and
/// goldens, as those of the oldest revision.
class History {
 public:
  /// `list` and `store` must outlive the History.
  History(const revctl::ListTable& list, const golden::Store& store);
  const revctl::ListTable& list() const { return list_; }
  const golden::Store& store() const { return *store_; }

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

  /// True if every record in the range (from, to] can be read. Otherwise, findings must not rely on
  /// layouts inherited across the range.
  bool Known(std::size_t from, std::size_t to) const;
  /// Like Known, but also requires that every revision in the range has a record.
  bool Recorded(std::size_t from, std::size_t to) const;
  /// True if no record is damaged, lost, or missing between two other records.
  bool AllKnown() const { return unknown_.empty() && gaps_.empty(); }

  /// Returns the recorded or inherited layout at revision `index`, or null if the type has no
  /// layout at that revision or the layout is unknown. The pointer is valid while both the store
  /// and the History are alive.
  const golden::RecordedType* TypeAt(std::string_view type, std::size_t index) const;
  const revctl::EnumLayout* EnumAt(std::string_view type, std::size_t index) const;
  /// Returns the index of the revision whose record contains the result of TypeAt, or none().
  std::size_t TypeRecordedAt(std::string_view type, std::size_t index) const;
  std::size_t EnumRecordedAt(std::string_view type, std::size_t index) const;

  /// Returns the names of all record types with a recorded layout, sorted.
  std::vector<std::string> RecordedTypes() const;

  /// Entries by type name, oldest first, each with the index of its revision.
  template <class Entry>
  using ByType =
      std::map<std::string, std::vector<std::pair<std::size_t, const Entry*>>, std::less<>>;
  /// Returns the recorded layouts of all enums.
  const ByType<revctl::EnumLayout>& enums() const { return enums_; }

  /// Returns the goldens of a root type, oldest first. Does not include large goldens.
  const std::vector<Golden>& Goldens(std::string_view type) const;
  /// Returns the large goldens of a root type, oldest first.
  const std::vector<Golden>& Large(std::string_view type) const;
  /// Returns Goldens() and Large() together.
  std::vector<Golden> SmallAndLarge(std::string_view type) const;
  /// Reads the payload of a large golden from the store's folder, and updates the revision number
  /// in it if payloads of the type contain the number.
  golden::Result<std::vector<std::byte>> ReadLarge(const Golden& golden,
                                                   bool even_damaged = false) const;
  /// True for a golden of a purged revision, which now represents files of the list's oldest
  /// revision.
  bool Carried(const Golden& golden) const {
    return golden.record->record.revision != revisions_[golden.revision].name;
  }
  /// Returns the index of the first later revision whose files may differ from this golden: a
  /// revision that has different goldens of the type, or no record.
  std::size_t InheritedUntil(const Golden& golden) const;
  /// Like InheritedUntil, but for an Opaque type. A revision inherits a golden of such a type only
  /// if `record` ran at that revision and the writer still produced the golden's bytes, apart from
  /// the revision number. Imported files are never inherited.
  std::size_t OpaqueUntil(const Golden& golden) const;
  /// Returns the golden of an Opaque type as a file of revision `index`, which inherits the golden.
  /// Replaces the revision number in the payload, if there is one.
  Golden AsFileOf(const Golden& golden, std::size_t index) const;
  /// Returns where payloads of an Opaque type contain their revision number, or null if no record
  /// contains this position.
  const golden::HeldVersion* HeldVersionOf(std::string_view type) const;
  /// Returns the revision number in the payload, for a type whose payloads contain it. Must not be
  /// called for a large golden.
  std::int64_t HeldNumber(const Golden& golden) const {
    return golden.renumbered ? revisions_[golden.revision].number : golden.record->record.number;
  }
  std::vector<std::string> GoldenTypes() const;

  /// Returns the values that the current code should read from a golden: the recorded values, with
  /// the changes that later revisions and approvals make.
  std::vector<golden::Leaf> ExpectedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/true));
  }
  /// Returns the expected in-memory values (kInMemory) of WireAs types in the golden. Empty if they
  /// were not recorded.
  std::vector<golden::Leaf> ExpectedMemory(const Golden& item) const;
  /// Like ExpectedUpgrade, but without approved changes.
  std::vector<golden::Leaf> RecordedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/false));
  }
  /// True if, according to their last records, bodies of these types compare the revision with a
  /// number in (from, to]. Such bodies may treat files of the two revisions differently.
  bool ToldApart(const std::map<std::string, const revctl::TypeInfo*>& types, std::int64_t from,
                 std::int64_t to) const;

  /// Returns the additions that are not read, because their revisions are older than the list's
  /// oldest one.
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
  void Index();
  /// Returns where the payload contains the recorded number if the revision's number has changed.
  /// Returns null if the number has not changed, or if no record contains the place.
  const golden::HeldVersion* PlaceToRenumber(const Golden& golden,
                                             std::span<const std::byte> payload) const;
  void Renumber();
  void AddApproved(std::size_t index);
  void FindLost();
  void FindGap();
  void Lose(std::string_view revision, const std::string& since);

  std::vector<Revision> revisions_;
  std::size_t oldest_recorded_ = none(), newest_recorded_ = none();
  ByType<golden::RecordedType> types_;
  /// layouts of records whose numbers have moved, with current numbers
  std::deque<std::deque<golden::RecordedType>> renumbered_;
  ByType<revctl::EnumLayout> enums_;
  /// where payloads hold their revision number, by type; each with the index of the revision that
  /// takes the place over from an earlier revision
  ByType<golden::HeldVersion> held_;
  std::map<std::string, std::vector<Golden>, std::less<>> goldens_, large_;
  revctl::ListTable list_;
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
  /// indices of unrecorded revisions between recorded ones, in ascending order
  std::vector<std::size_t> gaps_;
};

/// True if `record` compared all types of the program when it made this record. In this case, a
/// type without goldens in the record has not changed. Imports, backfills and copies from history
/// do not compare other types.
bool ComparesAllTypes(const golden::RevisionRecord& record);

/// Returns the layouts of a record with current numbers, or nothing if no number moved. Records
/// refer to revisions by name, so they stay valid when a pending revision's number moves. Only
/// `from`, `to` and `compared` contain numbers, which date from the time of recording. The record's
/// `pending` map translates them to names. Without such a map, the translation is derived from the
/// branch's earlier records, which works only if numbers moved up and kept their order; otherwise
/// returns nothing.
std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record);

}  // namespace revctl::harness
