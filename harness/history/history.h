#pragma once
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <revctl/detail/types/type_info.h>
#include <revctl/list_table.h>

#include "golden/store.h"

namespace revctl::harness {

/// A revision of today's list with its records.
struct Revision {
  std::string name;
  std::int64_t number = 0;  ///< today's; the numbers in records are provenance
  std::uint64_t lineage = 0;
  bool exists = false;  ///< it was recorded: a record file exists, damaged or not, or was lost
  /// It was recorded, but the record is damaged or lost.
  bool unknown = false;
  /// For a lost record: the record that still refers to it, and how. Empty for a damaged one, which
  /// the store reports.
  std::string lost_since;
  const golden::StoredRecord* record = nullptr;
  std::vector<const golden::StoredRecord*> additions;
};

/// A golden with the place of its record and payload. Pointers refer to the store.
struct Golden {
  std::string id;            ///< `SR_INITIAL/auto-1`
  std::size_t revision = 0;  ///< index into History::revisions()
  const golden::StoredRecord* record = nullptr;
  const golden::Case* item = nullptr;
  /// empty for a large golden, whose payload History::ReadLarge reads
  std::span<const std::byte> payload() const { return golden::Store::Payload(*record, *item); }
  const golden::LargeCase* large = nullptr;  ///< set for a large golden; `item` is a part of it
};

/// The store combined with today's list: the revisions, each with its records and with the layouts
/// and goldens that it inherits. Revisions below the list's oldest are not read; their last
/// recorded layouts and goldens are carried over to the oldest revision, where they were in force.
class History {
 public:
  /// `list` and `store` must outlive this.
  History(const revctl::ListTable& list, const golden::Store& store);

  const std::vector<Revision>& revisions() const { return revisions_; }
  bool empty() const { return revisions_.empty(); }
  const Revision& latest() const { return revisions_.back(); }
  std::int64_t oldest() const { return revisions_.front().number; }
  const Revision* Find(std::string_view name) const;
  const Revision* Find(std::int64_t number) const;
  /// Index of `revision`, an element of revisions().
  std::size_t IndexOf(const Revision& revision) const {
    return static_cast<std::size_t>(&revision - revisions_.data());
  }

  /// Index of the oldest and newest recorded revision; none() if nothing is recorded.
  static constexpr std::size_t none() { return static_cast<std::size_t>(-1); }
  std::size_t oldest_recorded() const { return oldest_recorded_; }
  std::size_t newest_recorded() const { return newest_recorded_; }

  /// True if every record in the range (from, to] can be read. If not, layouts inherited across the
  /// range are unknown and must not be used for findings.
  bool Known(std::size_t from, std::size_t to) const;
  /// True if, in addition, every revision in the range has a record.
  bool Recorded(std::size_t from, std::size_t to) const;
  /// True if no record is damaged, lost, or missing between two others.
  bool AllKnown() const { return unknown_.empty() && gaps_.empty(); }

  /// Returns the layout in force at revision `index`, recorded there or inherited; null if there is
  /// none or it is unknown. Valid as long as the store and this.
  const golden::RecordedType* TypeAt(std::string_view type, std::size_t index) const;
  const revctl::EnumLayout* EnumAt(std::string_view type, std::size_t index) const;
  /// Index of the revision that recorded the result of TypeAt, or none().
  std::size_t TypeRecordedAt(std::string_view type, std::size_t index) const;
  std::size_t EnumRecordedAt(std::string_view type, std::size_t index) const;

  /// Names of all record types with a recorded layout, sorted.
  std::vector<std::string> RecordedTypes() const;

  /// All enums with a recorded layout, by name, each with the recording revisions, oldest first.
  const std::map<std::string, std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>,
                 std::less<>>&
  enums() const {
    return enums_;
  }

  /// Goldens of a root type, oldest first.
  const std::vector<Golden>& Goldens(std::string_view type) const;
  /// Large goldens of a root type, oldest first. They are not among Goldens().
  const std::vector<Golden>& Large(std::string_view type) const;
  /// Returns copies of both.
  std::vector<Golden> SmallAndLarge(std::string_view type) const;
  /// Reads the payload of a large golden from the store's folder.
  golden::Result<std::vector<std::byte>> ReadLarge(const Golden& golden,
                                                   bool even_damaged = false) const {
    return store_->ReadLarge(*golden.record, *golden.large, even_damaged);
  }
  /// True for a golden of a purged revision that now serves at the list's oldest.
  bool Carried(const Golden& golden) const {
    return golden.record->record.revision != revisions_[golden.revision].name;
  }
  /// Returns the first later revision whose files may differ: the type has other goldens there, or
  /// nothing is recorded.
  std::size_t InheritedUntil(const Golden& golden) const;
  /// InheritedUntil for a type whose bytes only the program's streams understand. A revision
  /// inherits a golden of such a type only if `record` ran at that revision and its writer still
  /// gave the golden's bytes; see Recording. No revision inherits an imported file.
  std::size_t OpaqueUntil(const Golden& golden) const;
  std::vector<std::string> GoldenTypes() const;

  /// Returns the values that today's code should read from a golden: its recorded values with the
  /// changes of later revisions and approvals.
  std::vector<golden::Leaf> ExpectedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/true));
  }
  /// Returns the expected in-memory values (kInMemory) of its WireAs types, as far as they were
  /// recorded.
  std::vector<golden::Leaf> ExpectedMemory(const Golden& item) const;
  /// Like ExpectedUpgrade, but without approvals.
  std::vector<golden::Leaf> RecordedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/false));
  }
  /// True if the code that last recorded these types compared the revision with a number in the
  /// range (from, to]. It may then treat files of the two revisions differently.
  bool ToldApart(const std::map<std::string, const revctl::TypeInfo*>& types, std::int64_t from,
                 std::int64_t to) const;

  /// Additions to revisions below the oldest that is read.
  const std::vector<const golden::StoredRecord*>& unread_additions() const {
    return unread_additions_;
  }
  /// Records of revisions that today's list does not have.
  const std::vector<const golden::StoredRecord*>& strangers() const { return strangers_; }

 private:
  std::vector<golden::Leaf> Upgraded(const Golden& item, bool approved) const;
  static std::vector<golden::Leaf> WithoutMemory(std::vector<golden::Leaf> leaves);
  void Carry(std::vector<const golden::StoredRecord*> purged);
  void Index(const revctl::ListTable& list, const golden::Store& store);
  void AddApproved(const golden::Store& store, std::size_t index);
  void FindLost(const golden::Store& store);
  void FindGap();
  void Lose(std::string_view revision, const std::string& since);

  std::vector<Revision> revisions_;
  std::size_t oldest_recorded_ = none(), newest_recorded_ = none();
  std::map<std::string, std::vector<std::pair<std::size_t, const golden::RecordedType*>>,
           std::less<>>
      types_;
  /// layouts whose numbers have moved since
  std::deque<std::deque<golden::RecordedType>> renumbered_;
  std::map<std::string, std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>, std::less<>>
      enums_;
  using ByType = std::map<std::string, std::vector<Golden>, std::less<>>;
  ByType goldens_, large_;
  const golden::Store* store_;
  /// Changes of a golden's upgraded value by a record or an approval.
  struct UpgradeStep {
    const std::vector<golden::Change>* changes;
    bool approved;
  };
  /// By "type case", in the order of application.
  std::map<std::string, std::vector<UpgradeStep>, std::less<>> upgrades_;
  std::vector<const golden::StoredRecord*> strangers_;
  std::vector<const golden::StoredRecord*> unread_additions_;
  std::vector<std::size_t> unknown_;  ///< ascending
  std::vector<std::size_t> gaps_;     ///< not recorded, unlike older and newer ones; ascending
};

/// True if `record` made this record with all types of the program, so that a type without goldens
/// in it was compared with the revision before and found unchanged. An import, a backfill and a
/// copy from history say nothing about the other types.
bool ComparesAllTypes(const golden::RevisionRecord& record);

/// Returns the layouts of a record with today's numbers. A pending revision keeps its goldens when
/// its number moves, because they refer to revisions by name; only `from`, `to` and `compared` hold
/// numbers of the time of recording. The record's `pending` maps these to names. Without it, they
/// follow from the branch's records before this one, assuming that numbers only move up and keep
/// their order. Returns nothing if no number moved, or if that assumption does not hold.
std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record);

}  // namespace revctl::harness
