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

/// A revision of today's list, with what is recorded of it.
struct Revision {
  std::string name;
  std::int64_t number = 0;  ///< today's; what the records say is provenance
  std::uint64_t lineage = 0;
  bool exists = false;  ///< a record file exists, perhaps damaged; or it was lost
  /// It was recorded, but what it recorded cannot be read: damaged, or lost.
  bool unknown = false;
  /// Lost: which other record still speaks of it, and how. Empty for a damaged one, about which the
  /// store complains.
  std::string lost_since;
  const golden::StoredRecord* record = nullptr;
  std::vector<const golden::StoredRecord*> additions;
};

/// One golden: where it was recorded and where its payload is. Pointers are into the store.
struct Golden {
  std::string id;            ///< `SR_INITIAL/auto-1`
  std::size_t revision = 0;  ///< index into History::revisions()
  const golden::StoredRecord* record = nullptr;
  const golden::Case* item = nullptr;
  std::span<const std::byte> payload() const { return golden::Store::Payload(*record, *item); }
};

/// The store seen through today's list: which revisions exist, what each recorded, what it
/// inherits.
///
/// Revisions below the list's oldest are no longer read. What they recorded last is carried to the
/// oldest one, where it was in force without being recorded again.
class History {
 public:
  /// Both must outlive this.
  History(const revctl::ListTable& list, const golden::Store& store);

  const std::vector<Revision>& revisions() const { return revisions_; }
  bool empty() const { return revisions_.empty(); }
  const Revision& latest() const { return revisions_.back(); }
  /// Number of the oldest revision that is read.
  std::int64_t oldest() const { return revisions_.front().number; }
  const Revision* Find(std::string_view name) const;
  const Revision* Find(std::int64_t number) const;
  /// Index of one of revisions().
  std::size_t IndexOf(const Revision& revision) const {
    return static_cast<std::size_t>(&revision - revisions_.data());
  }

  /// Index of the oldest and the newest recorded revision; none() where nothing is recorded.
  static constexpr std::size_t none() { return static_cast<std::size_t>(-1); }
  std::size_t oldest_recorded() const { return oldest_recorded_; }
  std::size_t newest_recorded() const { return newest_recorded_; }

  /// Whether what the revisions after `from` up to and with `to` recorded is all known. Where it is
  /// not, what is inherited across them may be anything, and nothing is judged by it.
  bool Known(std::size_t from, std::size_t to) const;
  /// The same, and each of them was recorded. What an unrecorded one looks like, no record says.
  bool Recorded(std::size_t from, std::size_t to) const;
  /// Whether no record is damaged, lost, or missing between others.
  bool AllKnown() const { return unknown_.empty() && gaps_.empty(); }

  /// The layout in force at revision `index`: recorded there or inherited; null where none is, or
  /// where it is not known.
  const golden::RecordedType* TypeAt(std::string_view type, std::size_t index) const;
  const revctl::EnumLayout* EnumAt(std::string_view type, std::size_t index) const;
  /// Index of the revision that recorded what TypeAt gives; none() where none is.
  std::size_t TypeRecordedAt(std::string_view type, std::size_t index) const;
  std::size_t EnumRecordedAt(std::string_view type, std::size_t index) const;

  /// Names of all record types with a recorded layout, sorted.
  std::vector<std::string> RecordedTypes() const;

  /// Names of all enums with a recorded layout, and every record of one, oldest first.
  const std::map<std::string, std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>,
                 std::less<>>&
  enums() const {
    return enums_;
  }

  /// Goldens of a root type, oldest first.
  const std::vector<Golden>& Goldens(std::string_view type) const;
  /// Whether a golden is of a revision that is no longer read, and now stands for the list's
  /// oldest.
  bool Carried(const Golden& golden) const {
    return golden.record->record.revision != revisions_[golden.revision].name;
  }
  /// The first revision behind a golden's own whose files look otherwise, as far as records say: at
  /// which its type has other goldens, or that is not recorded.
  std::size_t InheritedUntil(const Golden& golden) const;
  /// Names of all root types that have goldens.
  std::vector<std::string> GoldenTypes() const;

  /// What today's code is expected to make of a golden: what was recorded with it, changed in order
  /// by later revisions.
  std::vector<golden::Leaf> ExpectedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/true));
  }
  /// What its values of WireAs types are expected to be in memory then (kInMemory), as far as that
  /// was recorded.
  std::vector<golden::Leaf> ExpectedMemory(const Golden& item) const;
  /// The same by the records alone: without what people accepted since.
  std::vector<golden::Leaf> RecordedUpgrade(const Golden& item) const {
    return WithoutMemory(Upgraded(item, /*approved=*/false));
  }
  /// Whether the code that recorded these types last compared the revision with a number above
  /// `from`, up to `to`: it may then have made something else of files of the one and of the other.
  bool ToldApart(const std::map<std::string, const revctl::TypeInfo*>& types, std::int64_t from,
                 std::int64_t to) const;

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
  std::deque<std::deque<golden::RecordedType>> renumbered_;  ///< where numbers have moved since
  std::map<std::string, std::vector<std::pair<std::size_t, const revctl::EnumLayout*>>, std::less<>>
      enums_;
  std::map<std::string, std::vector<Golden>, std::less<>> goldens_;
  /// What was said about the upgraded value of a golden: by a record, or accepted by a person.
  struct UpgradeStep {
    const std::vector<golden::Change>* changes;
    bool approved;
  };
  /// by "type case", in order
  std::map<std::string, std::vector<UpgradeStep>, std::less<>> upgrades_;
  std::vector<const golden::StoredRecord*> strangers_;
  std::vector<std::size_t> unknown_;  ///< ascending
  std::vector<std::size_t> gaps_;     ///< not recorded, though older and newer ones are; ascending
};

/// The layouts of a record with the numbers that today's list gives their revisions. A pending
/// revision that gets another number keeps its goldens: their names are enough, and the numbers in
/// them (`from`, `to`, `compared`) are those of the day. A record says in `pending` whose these
/// are; of one that does not, what it was made behind tells, and numbers only move up, in their
/// order. Nothing where no number moved, or where they moved otherwise.
std::deque<golden::RecordedType> WithTodaysNumbers(const revctl::ListTable& list,
                                                   const golden::Store& store,
                                                   const golden::RevisionRecord& record);

}  // namespace revctl::harness
