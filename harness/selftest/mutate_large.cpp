// Mutates the payloads of large goldens, as if other code had written them. Loading a large golden
// takes as long as loading hundreds of small ones, so only the first value at each place is
// mutated.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/layout/fields.h"
#include "harness/selftest/golden_mutator.h"
#include "harness/selftest/selftest.h"
#include "harness/signals/large/large_decoded.h"
#include "harness/trace/condensed.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

constexpr std::size_t kMostPlaces = 64;

class LargeMutator : GoldenMutator {
 public:
  LargeMutator(const RootType& root, const History& history, const Golden& golden,
               const Renames& renames, SelfTestTable& table)
      : GoldenMutator(root, history, golden, table), renames_(renames) {}

  void Run() {
    if (IsOpaque(root_.type())) return;  // no visit shows where the values are in the bytes
    if (!Progress::Enter(root_.name, "large golden " + golden_.id)) return;
    auto payload = history_.ReadLarge(golden_);
    if (!payload) return;  // `check` reports the unreadable file
    payload_ = std::move(*payload);
    {
      const Object object(root_.type());
      Condensed read =
          CondensedRead(root_.type(), payload_, number_, object.get(), {}, /*fields=*/true);
      if (!read.ok || !read.at_end) return;  // `check` reports the misread golden
      fields_ = std::move(read.fields);
    }
    std::set<std::string> places, reversed;
    for (std::size_t i = 0; i < fields_.size() && places.size() < kMostPlaces; ++i) {
      const std::string place = harness::PlaceOf(fields_[i].path);
      if (places.insert(place).second) Mutate(i);
      if (!IsOwn(i) || !IsNumber(fields_[i].type->name()) || fields_[i].size < 2 ||
          reversed.contains(place))
        continue;
      // A value such as zero is the same in both byte orders, but a different value at the same
      // place may not be.
      const Bytes other = Reversed(RangeOf(i));
      if (other == payload_) {
        table_.Note("endianness", Place(i), Seen::Value, false);
      } else {
        reversed.insert(place);
        Try("endianness", i, other);
      }
    }
  }

 private:
  Range RangeOf(std::size_t i) const { return {fields_[i].offset, fields_[i].size}; }
  std::string Place(std::size_t i) const {
    return PlaceOf(root_, history_, golden_.revision, fields_[i].path);
  }
  bool IsOwn(std::size_t i) const { return fields_[i].path.find('#') == std::string::npos; }

  void Mutate(std::size_t i) {
    const Condensed::Field& field = fields_[i];
    const Range own = RangeOf(i);
    if (field.path.ends_with("#count")) return Try("change a container", i, Without(own));
    if (!IsOwn(i)) return;
    Try("add a field", i, Without(own));
    Try("remove a field", i, With(own.offset, Of(own)));
    const bool next = i + 1 < fields_.size() && IsOwn(i + 1) && fields_[i + 1].offset >= own.end();
    if (next) {
      const bool same = fields_[i + 1].type == field.type;
      Try(same ? "swap, same type" : "reorder", i, Exchanged(own, RangeOf(i + 1)));
    }
    if (IsNumber(field.type->name()))
      Try("retype, other size", i, With(own.end(), Bytes(own.size)));
  }

  /// Reads the mutated payload as `check` does, and notes whether a finding would name the changed
  /// values.
  void Try(const std::string& mutation, std::size_t i, const Bytes& bytes) {
    const std::string place = Place(i);
    if (!Enter(mutation, place)) return;
    const auto read = [&](const Wanted& wanted) {
      const Object object(root_.type());
      return CondensedRead(root_.type(), bytes, number_, object.get(), wanted);
    };
    const Condensed now = read({});
    const bool whole = now.ok && now.at_end;
    table_.Note(mutation, place, Seen::Bytes, !whole);
    if (!whole) return;
    const auto changes = renames_.Compare(golden_.item->values, now.leaves);
    table_.Note(mutation, place, Seen::Value, !changes.empty());
    if (changes.empty()) return;
    const LargeChanges found =
        NameChanges(root_, history_, golden_, changes, read(WantedOf(changes)), renames_);
    const bool named =
        std::any_of(found.changes.begin(), found.changes.end(), [](const golden::Change& change) {
          return !StandsForMany(change.path) && change.path.find("..") == std::string::npos;
        });
    if (!named) table_.NoteByChunk(place);
  }

  const Renames& renames_;
  std::vector<Condensed::Field> fields_;
};

}  // namespace

void MutateLarge(const RootType& root, const History& history, const Golden& golden,
                 const Renames& renames, SelfTestTable& table) {
  LargeMutator(root, history, golden, renames, table).Run();
}

}  // namespace revctl::harness
