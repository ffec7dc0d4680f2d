// Mutates payloads, as if other code had written them, and reads them with the current code.
#include <algorithm>
#include <string_view>

#include <revctl/trace.h>

#include "harness/layout/fields.h"
#include "harness/selftest/golden_mutator.h"
#include "harness/selftest/selftest.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using revctl::TraceLeaf;

class PayloadMutator : GoldenMutator {
 public:
  using GoldenMutator::GoldenMutator;

  void Run() {
    if (IsOpaque(root_.type())) return;  // no visit shows where the values are in the bytes
    if (!Progress::Enter(root_.name, "golden " + golden_.id)) return;
    payload_.assign(golden_.payload().begin(), golden_.payload().end());
    const Object object(root_.type());
    revctl::TraceReader reader(payload_, number_);
    ResetProgram();
    reader.VisitRoot(root_.type(), object.get());
    if (!reader.Ok() || !reader.AtEnd()) return;  // `check` reports the unreadable golden
    leaves_ = reader.TakeLeaves();
    for (std::size_t i = 0; i < leaves_.size(); ++i) MutateLeaf(i);
    Conditions();
    Renumber();
  }

 private:
  const TraceLeaf& leaf(std::size_t i) const { return leaves_[i]; }
  std::string Path(std::size_t i) const { return BelowRoot(leaves_[i].path, root_.type()); }
  std::string Place(std::size_t i) const {
    return harness::PlaceOf(root_, history_, golden_.revision, Path(i));
  }
  /// True if both leaves are unnamed fields of the same body. Such fields are identified only by
  /// position, so swapping them changes no names.
  bool SideBySide(std::size_t i, std::size_t k) const {
    const std::string one = Path(i), other = Path(k);
    const std::size_t dot = one.rfind('.') + 1, other_dot = other.rfind('.') + 1;
    return IsPlace(std::string_view(one).substr(dot)) &&
           IsPlace(std::string_view(other).substr(other_dot)) &&
           one.substr(0, dot) == other.substr(0, other_dot);
  }
  bool IsOwn(std::size_t i) const { return leaf(i).path.find('#') == std::string::npos; }
  bool IsEnum(std::size_t i) const {
    return history_.EnumAt(leaf(i).type, golden_.revision) != nullptr;
  }

  /// Reads the mutated payload as `check` reads a golden.
  void Try(const std::string& mutation, const std::string& place, const Bytes& bytes) {
    Try(mutation, place, bytes, number_);
  }
  void Try(const std::string& mutation, const std::string& place, const Bytes& bytes,
           std::int64_t number) {
    if (!Enter(mutation, place)) return;
    const Object object(root_.type());
    const Traced read = TraceRead(root_.type(), bytes, number, object.get());
    const bool whole = read.ok && read.at_end;
    table_.Note(mutation, place, Seen::Bytes, !whole);
    if (whole) {
      table_.Note(mutation, place, Seen::Value,
                  !golden::Compare(golden_.item->values, read.leaves).empty());
    }
  }

  Range RangeOf(std::size_t i) const { return {leaf(i).offset, leaf(i).size}; }

  void MutateLeaf(std::size_t i) {
    const TraceLeaf& own = leaf(i);
    const Range range = RangeOf(i);
    const std::string place = Place(i);
    if (own.path.ends_with("#integrity")) {
      if (i > 0) Try("counter moved", place, Exchanged(RangeOf(i - 1), range));
      return;
    }
    if (own.path.ends_with("#count")) return Try("change a container", place, Without(range));
    if (!IsOwn(i)) return;
    Try("add a field", place, Without(range));
    Try("remove a field", place, With(range.offset, Of(range)));
    if (i + 1 < leaves_.size() && IsOwn(i + 1)) {
      const bool same = leaf(i + 1).type == own.type;
      if (same && SideBySide(i, i + 1)) {
        table_.Note("swap, same type", place, Seen::Value, false);
      } else {
        Try(same ? "swap, same type" : "reorder", place, Exchanged(range, RangeOf(i + 1)));
      }
    }
    if (own.path.ends_with("]")) Try("resize an array", place, With(range.offset, Of(range)));
    if (IsEnum(i)) {
      Try("enum width", own.type, With(range.end(), Bytes(range.size)));
      EnumOrder(i);
    }
    if (!IsNumber(own.type)) return;
    SameSize(i);
    Try("retype, other size", place, With(range.end(), Bytes(range.size)));
    if (own.size == 1) return;
    Try("endianness", place, Reversed(range));
  }

  /// Notes whether `check` would notice if the value's type were replaced with a different type of
  /// the same size. Reading an integer as signed or unsigned yields different values only if its
  /// highest bit is set. Reading a float as an integer yields a different value if any bit is set.
  void SameSize(std::size_t i) {
    const Bytes bytes = Of(RangeOf(i));
    const bool floating = leaf(i).type[0] == 'f';
    const bool differs = floating ? std::any_of(bytes.begin(), bytes.end(),
                                                [](std::byte b) { return b != std::byte{0}; })
                                  : (bytes.back() & std::byte{0x80}) != std::byte{0};
    table_.Note("retype, same size", Place(i), Seen::Value, differs);
  }

  /// Swaps the values of two adjacent enumerators. The swap is caught if a golden contains one of
  /// them.
  void EnumOrder(std::size_t i) {
    const auto& names = history_.EnumAt(leaf(i).type, golden_.revision)->enumerators;
    for (std::size_t k = 0; k + 1 < names.size(); ++k) {
      const bool holds = leaf(i).text == names[k].first || leaf(i).text == names[k + 1].first;
      table_.Note("enum order", leaf(i).type + "." + names[k].first, Seen::Value, holds);
    }
  }

  /// Removes the values that depend on a condition, as if the condition had been inverted.
  void Conditions() {
    const golden::RecordedType* type = history_.TypeAt(root_.name, golden_.revision);
    if (type == nullptr) return;
    for (const revctl::LayoutField& field : type->layout.fields) {
      if (field.condition.empty()) continue;
      std::size_t from = payload_.size(), to = 0;
      for (std::size_t i = 0; i < leaves_.size(); ++i) {
        if (harness::PlaceOf(root_, history_, golden_.revision, FirstOf(Path(i))) !=
            root_.name + "." + field.name)
          continue;
        from = std::min(from, leaf(i).offset);
        to = std::max(to, leaf(i).offset + leaf(i).size);
      }
      if (from < to) Try("condition", root_.name + "." + field.name, Without({from, to - from}));
    }
  }
  static std::string FirstOf(const std::string& path) {
    return path.substr(0, path.find_first_of(".[#"));
  }

  /// Reads the golden at the previous and the next revision, as if the golden's revision had been
  /// renumbered.
  void Renumber() {
    const auto& revisions = history_.revisions();
    for (const std::size_t other : {golden_.revision - 1, golden_.revision + 1}) {
      if (other < revisions.size() && revisions[other].number >= root_.entry.since &&
          Compares(std::max(other, golden_.revision)))
        Try("renumbered revision", revisions[golden_.revision].name + ", " + root_.name, payload_,
            revisions[other].number);
    }
  }
  /// True if the layout of a type in this root was recorded at revision `later`, so the code
  /// distinguishes this revision from the previous one.
  bool Compares(std::size_t later) const {
    const std::vector<std::string> types = Reached(root_.name, history_, later);
    return std::any_of(types.begin(), types.end(), [&](const std::string& type) {
      return history_.TypeRecordedAt(type, later) == later;
    });
  }

  std::vector<TraceLeaf> leaves_;
};

}  // namespace

void MutatePayload(const RootType& root, const History& history, const Golden& golden,
                   SelfTestTable& table) {
  PayloadMutator(root, history, golden, table).Run();
}

}  // namespace revctl::harness
