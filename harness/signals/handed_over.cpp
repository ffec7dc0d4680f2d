// GH003, value, for what no visit shows: Load() reads into a fresh object and assigns that to the
// caller's, by an assignment of the program's own.
#include <fmt/core.h>

#include "harness/signals/shown.h"
#include "harness/signals/signals.h"

namespace revctl::harness {

void CheckHandedOver(CheckContext& context, const RootType& root, const Decoded& decoded) {
  if (root.entry.hand_over == nullptr || !decoded.saved) return;
  const std::int64_t latest = context.history.latest().number;
  const Revision& revision = context.history.revisions()[decoded.golden->revision];
  const Object fresh(root.type()), loaded(root.type());
  std::vector<std::byte> before, after;
  // Where the program's own reader makes something else of the golden, GH002 or GH005 says so.
  if (!root.Read(decoded.golden->payload(), revision.number, fresh.get()).ok ||
      !root.Write(latest, fresh.get(), before).ok || before != decoded.resaved.bytes)
    return;
  root.entry.hand_over(fresh.get(), loaded.get());
  if (root.Write(latest, loaded.get(), after).ok && after == before) return;
  // What each writing changes, no assignment does: GH005 says so.
  const Object written(root.type());
  std::vector<std::byte> once, twice;
  if (!root.Read(decoded.golden->payload(), revision.number, written.get()).ok ||
      !root.Write(latest, written.get(), once).ok || !root.Write(latest, written.get(), twice).ok ||
      twice != once)
    return;
  const Traced traced = TraceWrite(root.type(), loaded.get(), latest);
  const auto changes = golden::Compare(decoded.resaved.leaves, traced.leaves);
  if (changes.empty()) return;  // the program's writer alone differs: GH005
  const golden::Change& first = changes.front();
  Finding finding{.rule = rule::kValue,
                  .revision = revision.name,
                  .type = root.name,
                  .field = PathNow(context.renames, first.path, traced.leaves),
                  .signal = "value"};
  context.PointAt(root, decoded.resaved.notes, latest, finding);
  finding.message = fmt::format(
      "{}.{} is read as {}, and is {} once the object is assigned: Load() reads into a fresh one "
      "and moves it{}",
      root.name, finding.field, Side(first.before), Side(first.after), AndMore(changes.size()));
  finding.details = "golden: " + decoded.golden->id;
  finding.fix = fmt::format(
      "let operator= of {}, or of a member's type, take every member; or leave it to the "
      "compiler:\nT& operator=(T&&) = default;",
      root.name);
  context.AddOrFollowAny(root, std::move(finding), "handed over");
}

}  // namespace revctl::harness
