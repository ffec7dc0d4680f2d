// Mutates upgrades of older goldens, as if the code lacked upgrade branches or set new fields to
// other values.
#include <fmt/core.h>
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <revctl/trace.h>

#include "harness/layout/fields.h"
#include "harness/selftest/golden_mutator.h"
#include "harness/selftest/selftest.h"
#include "harness/signals/pending_effect.h"
#include "harness/trace/crash_breadcrumb.h"
#include "harness/trace/object.h"
#include "harness/trace/source_place.h"
#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

using Values = std::vector<golden::Leaf>;

class UpgradeMutator : GoldenMutator {
 public:
  using GoldenMutator::GoldenMutator;

  void Run() {
    payload_.assign(golden_.payload().begin(), golden_.payload().end());
    const auto now = Upgraded(payload_);
    if (!now) return;  // `check` reports that the golden cannot be read or saved
    Defaults(*now);
    Branches();
  }

 private:
  /// Returns the values that the current code saves after reading `bytes` at the golden's revision.
  std::optional<Values> Upgraded(const Bytes& bytes) const {
    const Object object(root_.type());
    const Traced read = TraceRead(root_.type(), bytes, number_, object.get(), Leaves::Untold);
    if (!read.ok || !read.at_end) return std::nullopt;
    Traced resaved = TraceWrite(root_.type(), object.get(), latest_);
    if (!resaved.ok) return std::nullopt;
    return std::move(resaved.leaves);
  }

  /// Returns the places whose values come from upgrade branches. Finds them by reading the golden
  /// with upgrade branches disabled: first those for all later revisions, then, for each of
  /// `turns`, only those for revisions from that one on.
  std::set<std::string> Upgrades(const Bytes& bytes,
                                 const std::vector<std::int64_t>& turns = {}) const {
    std::set<std::string> places;
    const auto now = Upgraded(bytes);
    const auto note = [&](std::int64_t from) {
      const auto before =
          now ? WithoutUpgrades(root_.type(), bytes, number_, from, latest_) : std::nullopt;
      if (!before) return;
      // Ignore values that only appear or disappear, because they depend on a value that changes.
      for (const golden::Change& change : golden::Compare(*before, *now)) {
        if (change.before && change.after) places.insert(Latest(change.path));
      }
    };
    note(number_ + 1);
    for (const std::int64_t turn : turns) note(turn);
    return places;
  }

  /// Returns the later revisions that the golden's types distinguish from older ones. Disabling the
  /// upgrades from one of these revisions on reveals upgrades that cancel each other out, such as
  /// doubling a value and later halving it.
  std::vector<std::int64_t> Turns() const {
    std::vector<std::int64_t> turns;
    const auto types = Reached(root_.name, history_, history_.newest_recorded());
    for (std::size_t i = golden_.revision + 2; i <= history_.newest_recorded(); ++i) {
      const bool told = std::any_of(types.begin(), types.end(), [&](const std::string& type) {
        return history_.TypeRecordedAt(type, i) == i;
      });
      if (told) turns.push_back(history_.revisions()[i].number);
    }
    return turns;
  }

  /// Finds the places that upgrade branches may affect by changing each value of the golden in
  /// turn. If a branch affects the unchanged golden, `check` notices when the branch is lost.
  void Branches() {
    if (IsOpaque(root_.type())) return;  // no visit shows where the values are in the bytes
    if (!Progress::Enter(root_.name, "upgrading golden " + golden_.id)) return;
    const std::set<std::string> seen = Upgrades(payload_, Turns());
    std::set<std::string> touched = seen;
    const Object object(root_.type());
    revctl::TraceReader reader(payload_, number_);
    ResetProgram();
    reader.VisitRoot(root_.type(), object.get());
    for (const revctl::TraceLeaf& leaf : reader.Leaves()) {
      const bool text = leaf.type == "string" && leaf.size > kCountSize;
      if (!text && (!IsNumber(leaf.type) || leaf.path.find('#') != std::string::npos)) continue;
      if (!Progress::Enter(root_.name,
                           fmt::format("upgrading {} of golden {}", leaf.path, golden_.id)))
        continue;
      for (const Bytes& bytes :
           Others(leaf.offset + (text ? kCountSize : 0), text ? 1 : leaf.size, text))
        touched.merge(Upgrades(bytes));
    }
    for (const std::string& place : touched)
      table_.Note("upgrade lost", place, Seen::Upgrade, seen.contains(place));
  }

  /// Returns copies of the payload with a different value at `offset`. One has its lowest bit
  /// flipped. For numbers, another has its sign bit flipped, and a third is zero.
  std::vector<Bytes> Others(std::size_t offset, std::size_t size, bool text) const {
    std::vector<Bytes> others(text ? 1 : 3, payload_);
    others[0][offset] ^= std::byte{1};
    if (text) return others;
    others[1][offset + size - 1] ^= std::byte{0x80};
    std::fill_n(others[2].begin() + static_cast<std::ptrdiff_t>(offset), size, std::byte{0});
    return others;
  }

  /// For each field newer than the golden, checks whether a different default value would be
  /// noticed.
  void Defaults(const Values& now) {
    const std::size_t newest = history_.newest_recorded();
    const Values recorded = history_.ExpectedUpgrade(golden_);
    const auto holders = Holders(recorded);
    for (const std::string& type : Reached(root_.name, history_, golden_.revision)) {
      const golden::RecordedType* then = history_.TypeAt(type, golden_.revision);
      const golden::RecordedType* today = history_.TypeAt(type, newest);
      if (then == nullptr || today == nullptr) continue;
      for (const revctl::LayoutField& field : today->layout.fields) {
        if (field.name.empty() || field.form == "integrity" || field.since_number <= number_)
          continue;
        const std::string place = type + "." + field.name;
        Values other = recorded;
        const auto [first, last] = holders.equal_range(place);
        for (auto held = first; held != last; ++held) other[held->second].text += "0";
        table_.Note("default value", place, Seen::Upgrade,
                    golden::Compare(other, now) != golden::Compare(recorded, now));
      }
    }
  }

  /// Maps each field to the indices of all values inside it. For example, the value `ball.dx` is
  /// inside both `Match.ball` and `Ball.dx`.
  std::multimap<std::string, std::size_t> Holders(const Values& values) const {
    std::multimap<std::string, std::size_t> holders;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string& path = values[i].path;
      for (std::size_t dot = 0; dot != std::string::npos;) {
        dot = path.find('.', dot + 1);
        holders.emplace(Latest(path.substr(0, dot)), i);
      }
    }
    return holders;
  }
  std::string Latest(const std::string& path) const {
    return harness::PlaceOf(root_, history_, history_.newest_recorded(), path);
  }

  static constexpr std::size_t kCountSize = 4;  // size of the length that precedes a string
  const std::int64_t latest_ = history_.latest().number;
};

}  // namespace

std::vector<std::string> Reached(const std::string& root, const History& history,
                                 std::size_t index) {
  std::vector<std::string> reached = {root};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const golden::RecordedType* type = history.TypeAt(reached[i], index);
    if (type == nullptr) continue;
    for (const revctl::LayoutField& field : type->layout.fields) {
      for (const std::string& other : history.RecordedTypes()) {
        const bool known = std::find(reached.begin(), reached.end(), other) != reached.end();
        if (!known && Mentions(field.type, other)) reached.push_back(other);
      }
    }
  }
  return reached;
}

void MutateUpgrades(const RootType& root, const History& history, const Golden& golden,
                    SelfTestTable& table) {
  if (golden.revision + 1 < history.revisions().size())
    UpgradeMutator(root, history, golden, table).Run();
}

}  // namespace revctl::harness
