// GH004 at the revisions that inherit a golden: files of theirs hold the same bytes, and what the
// recorded code did not tell apart became the same.
#include <fmt/core.h>
#include <algorithm>

#include "harness/signals/decoded.h"
#include "harness/signals/pending_effect.h"
#include "harness/signals/signals.h"

namespace revctl::harness {
namespace {

/// What today's code makes of a golden's bytes as a file of `number`, but for what a pending
/// revision does; nothing where that cannot be told.
std::optional<std::vector<golden::Leaf>> UpgradedFrom(const CheckContext& context,
                                                      const RootType& root, const Golden& golden,
                                                      std::int64_t number) {
  const History& history = context.history;
  const std::int64_t latest = history.latest().number;
  if (!context.pending().empty())
    return WithoutUpgrades(root.type(), golden.payload(), number,
                           history.revisions()[history.newest_recorded()].number + 1, latest);
  const Decoded decoded = Decode(root, golden, number, latest);
  if (!decoded.complete || !decoded.saved) return std::nullopt;
  return decoded.resaved.leaves;
}

/// Values that are there on both sides: fields that are new since the newest record are none of
/// upgrade code's.
std::vector<golden::Change> Changes(const CheckContext& context,
                                    const std::vector<golden::Leaf>& expected,
                                    const std::vector<golden::Leaf>& now) {
  auto changes = context.renames.Compare(expected, now);
  if (!context.pending().empty())
    std::erase_if(changes,
                  [](const golden::Change& change) { return !change.before || !change.after; });
  return changes;
}

}  // namespace

void CheckInheritedUpgrade(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  if (!decoded.complete || !decoded.saved || !history.AllKnown() ||
      history.newest_recorded() == History::none())
    return;
  const Golden& golden = *decoded.golden;
  // What was added later may ask for what no golden of that time did: the record does not say
  // whether it was told apart.
  if (history.Carried(golden) || golden.record->addition) return;
  const Revision& own = history.revisions()[golden.revision];
  const auto sides = decoded.read.notes.Compared();
  const auto types = decoded.read.notes.Records();
  const std::size_t end = history.InheritedUntil(golden);
  std::int64_t looked_at = own.number;
  for (std::size_t i = golden.revision + 1; i < end; ++i) {
    const Revision& revision = history.revisions()[i];
    if (SameSide(looked_at, revision.number, sides)) continue;
    looked_at = revision.number;
    if (history.ToldApart(types, own.number, revision.number)) return;
    const auto now = UpgradedFrom(context, root, golden, revision.number);
    const auto at_own = now ? UpgradedFrom(context, root, golden, own.number) : std::nullopt;
    if (!at_own || Changes(context, *at_own, *now).empty()) continue;
    const auto changes = Changes(context, history.ExpectedUpgrade(golden), *now);
    // What was accepted for the golden's own revision may be right for it alone.
    if (changes.empty() || Changes(context, history.RecordedUpgrade(golden), *now).empty())
      continue;
    const golden::Change& first = changes[0];
    Finding finding{.rule = rule::kUpgrade,
                    .revision = revision.name,
                    .type = root.name,
                    .field = PathNow(context.renames, first.path, *now),
                    .signal = "upgrade"};
    context.PointAt(root, decoded.resaved.notes, history.latest().number, finding);
    finding.message = fmt::format(
        "{}.{}: a file of {} is upgraded to {}, not to {}{}: the code that was recorded did not "
        "tell it from one of {}",
        root.name, finding.field, revision.name, Side(first.after), Side(first.before),
        AndMore(changes.size()), own.name);
    finding.details = "golden: " + golden.id + ShownChanges(context.renames, changes, *now);
    finding.fix = context.OrRefresh(
        "let the code for old files ask for the same revisions as before. Or take a revision for "
        "the change, and ask for it first:\nrevctl reserve " +
            context.FreeUpgradeName(root),
        history.newest_recorded());
    context.AddOrFollowAny(root, std::move(finding), "inherited upgrade");
    return;
  }
}

}  // namespace revctl::harness
