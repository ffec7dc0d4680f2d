// GH003, value: checks that a golden is decoded to the recorded values, by path.
#include <fmt/core.h>
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "harness/signals/decoded.h"
#include "harness/signals/signals.h"

namespace revctl::harness {
namespace {

/// Removes changes in records of retired classes, because the reader skips the bytes of these
/// records.
void ForgetRetired(std::vector<golden::Change>& changes) {
  constexpr std::string_view kDropped = "dropped";
  std::vector<std::string> records;  // paths of the records, such as `level.objects[1].`
  for (const golden::Change& change : changes) {
    if (!change.before && change.path.ends_with("].dropped")) {
      records.push_back(change.path.substr(0, change.path.size() - kDropped.size()));
    }
  }
  std::erase_if(changes, [&](const golden::Change& change) {
    return std::any_of(records.begin(), records.end(),
                       [&](const std::string& record) { return change.path.starts_with(record); });
  });
}

/// Adds a finding if the values `now` differ from the golden's recorded values. `revision` is the
/// golden's own revision or one that inherits it.
void Compare(CheckContext& context, const RootType& root, const Decoded& decoded,
             const std::vector<golden::Leaf>& now, const Revision& revision) {
  const Golden& golden = *decoded.golden;
  auto changes = context.renames.Compare(golden.item->values, now);
  ForgetRetired(changes);
  if (IsOpaque(root.type()))
    ForgetUpgraded(context, context.history.revisions()[golden.revision].number,
                   context.history.ExpectedUpgrade(golden), changes);
  if (changes.empty()) return;
  Finding finding = context.AboutRead(root, decoded, RuleId::GoldenValue, "value",
                                      PathNow(context.renames, changes[0].path, now));
  finding.revision = revision.name;
  finding.message = fmt::format("{}.{} {}{}", root.name, finding.field, ReadInstead(changes[0]),
                                AndMore(changes.size()));
  finding.details += ShownChanges(context.renames, changes, now);
  finding.fix = context.OrRefresh(ReadAsWritten(revision.name), golden.revision);
  context.AddOrFollow(root, std::move(finding), "value");
}

}  // namespace

void CheckValue(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (!decoded.complete) return;
  Compare(context, root, decoded, decoded.read.leaves,
          context.history.revisions()[decoded.golden->revision]);
}

namespace {

std::vector<golden::Leaf> LeavesAt(const RootType& root, const Decoded& decoded,
                                   const Revision& revision) {
  const Object object(root.type());
  return TraceRead(root.type(), decoded.golden->payload(), revision.number, object.get()).leaves;
}

/// Reads a golden as a file of each later revision whose files have the same bytes, apart from the
/// revision number. Does not compare values, because upgrade code may treat each of these revisions
/// differently.
void CheckInheritedBytes(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  const std::size_t end = history.OpaqueUntil(*decoded.golden);
  for (std::size_t i = decoded.golden->revision + 1; i < end; ++i) {
    const Golden file = history.AsFileOf(*decoded.golden, i);
    const Decoded later =
        Decode(root, file, history.revisions()[i].number, history.latest().number);
    if (!later.complete) CheckBytes(context, root, later);
  }
}

}  // namespace

void CheckInherited(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (!decoded.complete) return;
  const History& history = context.history;
  if (history.newest_recorded() == History::none()) return;
  if (IsOpaque(root.type())) return CheckInheritedBytes(context, root, decoded);
  const std::size_t end = history.InheritedUntil(*decoded.golden);
  std::int64_t looked_at = history.revisions()[decoded.golden->revision].number;
  std::vector<std::int64_t> sides = decoded.read.notes.Compared();
  for (std::size_t i = decoded.golden->revision + 1; i < end; ++i) {
    if (!history.Recorded(decoded.golden->revision, i)) break;
    const Revision& revision = history.revisions()[i];
    if (SameSide(looked_at, revision.number, sides)) continue;
    const Object object(root.type());
    const Traced read = TraceRead(root.type(), decoded.golden->payload(), revision.number,
                                  object.get(), Leaves::Untold);
    // At most revisions, this golden is read in the same way, because it does not contain the type
    // that changed.
    const bool same = read.ok && read.steps == decoded.read.steps;
    const auto leaves = same ? std::vector<golden::Leaf>() : LeavesAt(root, decoded, revision);
    Compare(context, root, decoded, same ? decoded.read.leaves : leaves, revision);
    looked_at = revision.number;
    sides = read.notes.Compared();
  }
}

// GH003 for mistakes in assignment operators, which no visit reveals. Load() reads into a fresh
// object and assigns it to the caller's object.

void CheckHandedOver(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (root.entry.hand_over == nullptr || !decoded.saved) return;
  const std::int64_t latest = context.history.latest().number;
  const Revision& revision = context.history.revisions()[decoded.golden->revision];
  const Object fresh(root.type()), loaded(root.type());
  std::vector<std::byte> before, after;
  // GH002 or GH005 reports a program's reader that disagrees with the tracer.
  if (!root.Read(decoded.golden->payload(), revision.number, fresh.get()).ok ||
      !root.Write(latest, fresh.get(), before).ok || before != decoded.resaved.bytes)
    return;
  root.entry.hand_over(fresh.get(), loaded.get());
  if (root.Write(latest, loaded.get(), after).ok && after == before) return;
  // GH005 reports an object that changes each time it is written.
  const Object written(root.type());
  std::vector<std::byte> once, twice;
  if (!root.Read(decoded.golden->payload(), revision.number, written.get()).ok ||
      !root.Write(latest, written.get(), once).ok || !root.Write(latest, written.get(), twice).ok ||
      twice != once)
    return;
  const Traced traced = TraceWrite(root.type(), loaded.get(), latest);
  const auto changes = golden::Compare(decoded.resaved.leaves, traced.leaves);
  // GH005 reports a program's writer that produces different bytes for the same values.
  if (changes.empty()) return;
  const golden::Change& first = changes.front();
  Finding finding = context.AboutSaved(root, decoded, RuleId::GoldenValue, "value",
                                       PathNow(context.renames, first.path, traced.leaves));
  finding.message = fmt::format(
      "{}.{} is read as {}, but becomes {} when the object is assigned: Load() reads into a fresh "
      "object and moves it{}",
      root.name, finding.field, Side(first.before), Side(first.after), AndMore(changes.size()));
  finding.fix = fmt::format(
      "assign every member in the operator= of {} or of a member's type\nor let the compiler "
      "generate it:\nT& operator=(T&&) = default;",
      root.name);
  context.AddOrFollowAny(root, std::move(finding), "handed over");
}

}  // namespace revctl::harness
