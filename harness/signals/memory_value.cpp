// GH004 for what no byte of a file shows: a WireAs that converts otherwise in both directions.
#include <fmt/core.h>
#include <algorithm>

#include "harness/signals/shown.h"
#include "harness/signals/signals.h"
#include "harness/signals/upgrade_mends.h"

namespace revctl::harness {
namespace {

const golden::Leaf* Find(const std::vector<golden::Leaf>& leaves, std::string_view path) {
  const auto found = std::find_if(leaves.begin(), leaves.end(),
                                  [&](const golden::Leaf& leaf) { return leaf.path == path; });
  return found == leaves.end() ? nullptr : &*found;
}

}  // namespace

void CheckMemory(CheckContext& context, const RootType& root, const Decoded& decoded) {
  const History& history = context.history;
  if (!decoded.saved || !history.Known(decoded.golden->revision, history.newest_recorded())) return;
  const auto recorded = history.ExpectedMemory(*decoded.golden);
  if (recorded.empty()) return;
  const auto expected = history.ExpectedUpgrade(*decoded.golden);
  std::vector<golden::Change> changes;
  for (const golden::Leaf& then : recorded) {
    const golden::Leaf* const now = Find(decoded.resaved.memory, then.path);
    if (now == nullptr || now->text == then.text) continue;
    // Another value of the file is told by itself.
    const auto own = std::string_view(then.path).substr(0, then.path.size() - kInMemory.size());
    const golden::Leaf *before = Find(expected, own), *after = Find(decoded.resaved.leaves, own);
    if ((before == nullptr) != (after == nullptr) ||
        (before != nullptr && before->text != after->text))
      continue;
    changes.push_back({then.path, then.text, now->text});
  }
  if (changes.empty()) return;
  const golden::Change& first = changes.front();
  const Revision& revision = history.revisions()[decoded.golden->revision];
  Finding finding{.rule = rule::kUpgrade,
                  .revision = revision.name,
                  .type = root.name,
                  .field = first.path.substr(0, first.path.size() - kInMemory.size()),
                  .signal = "upgrade"};
  context.PointAt(root, decoded.resaved.notes, history.latest().number, finding);
  finding.message = fmt::format(
      "{}.{} becomes {} in memory, not {} as recorded, though the file's value is the same: its "
      "WireAs converts otherwise, back and forth{}",
      root.name, finding.field, *first.after, *first.before, AndMore(changes.size()));
  finding.details = "golden: " + decoded.golden->id +
                    ShownChanges(context.renames, changes, decoded.resaved.leaves);
  finding.fix = fmt::format(
      "let FromWire and ToWire convert as they did\n"
      "or, if the value means the same (another unit in memory):\n{} review",
      context.options.program);
  if (!context.Broken(root)) OfferUpgrade(context, root, decoded, changes, finding);
  context.AddOrFollowAny(root, std::move(finding), "value in memory");
}

}  // namespace revctl::harness
