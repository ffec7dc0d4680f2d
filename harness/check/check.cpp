#include "harness/check/check.h"

#include "harness/history/rem_locals.h"
#include "harness/signals/pending_effect.h"
#include "harness/signals/signals.h"
#include "harness/trace/progress.h"
#include "harness/trace/stopwatch.h"

namespace revctl::harness {
namespace {

/// The signals about one root type. Those about the store as a whole are in Check().
void CheckType(CheckContext& context, const RootType& root, std::vector<CellCost>& costs) {
  const Stopwatch whole;
  double of_goldens = 0;
  const History& history = context.history;
  if (!Progress::Enter(root.name, "making of its samples")) return;
  TypeRun run(root, history, context.options.seed);
  AddNamesOfLocals(history, run.At(history.latest().number, {}).layouts, context.renames);
  // Decoded first: whether a condition that reads differently also decides differently is for the
  // goldens to say.
  const std::vector<Decoded> goldens = DecodeAll(context, root);
  PendingEffect pending(context, root, goldens);
  CheckLayout(context, run);
  CheckEnums(context, run);  // also those that the revisions just run have
  for (const Decoded& decoded : goldens) {
    const Stopwatch watch;
    Progress::Enter(root.name, "golden " + decoded.golden->id);
    CheckDescribed(context, root, decoded);
    CheckBytes(context, root, decoded);
    CheckValue(context, root, decoded);
    CheckHandedOver(context, root, decoded);
    CheckNames(context, root, decoded);
    CheckInherited(context, root, decoded);
    CheckUpgrade(context, root, decoded, pending);
    CheckMemory(context, root, decoded);
    CheckInheritedUpgrade(context, root, decoded);
    CheckResaved(context, root, decoded);
    CheckRefusal(context, root, decoded);
    const double cost = decoded.milliseconds + watch.Milliseconds();
    of_goldens += cost;
    const std::string& revision = history.revisions()[decoded.golden->revision].name;
    if (costs.empty() || costs.back().type != root.name || costs.back().revision != revision) {
      costs.push_back({root.name, revision, 0});
    }
    costs.back().milliseconds += cost;
    Progress::Done();
  }
  CheckStability(context, run);
  CheckCoverage(context, run);
  costs.push_back({root.name, "", whole.Milliseconds() - of_goldens});
}

}  // namespace

CheckResult Check(const Registry& registry, const revctl::ListTable& list,
                  const golden::Store& recorded, const CheckOptions& options) {
  const StalePending stale = FindStalePending(list, recorded);
  const golden::Store& store = stale.store ? *stale.store : recorded;
  const History history(list, store);
  Verdicts verdicts;
  CheckResult result;
  result.types = registry.types.size();
  result.revisions = history.revisions().size();
  CheckContext context{registry, history, store, verdicts, options, Renames(store.approvals())};
  context.stale = &stale;
  context.acceptable = &result.pending;
  context.uncovered = &result.uncovered;
  context.untested = &result.untested;
  std::vector<std::string> names;
  for (const Revision& revision : history.revisions()) names.push_back(revision.name);
  context.list_prefix = CommonPrefix(names);
  // Where the recorded state cannot be seen, all would look as if nothing were.
  const bool judges = !history.empty() && store.listed();
  if (options.store) {
    CheckStore(context);
    if (judges) {
      CheckHeaders(context, list);
      CheckFiles(context, list);
      CheckStale(context);
      CheckRecorded(context);
      CheckEmptied(context);
      CheckTypes(context);
    }
  }
  if (judges) {
    for (const RootType& root : registry.types) {
      if (options.only && !options.only->contains(root.name)) continue;
      CheckType(context, root, result.costs);
      result.goldens += history.Goldens(root.name).size();
    }
  }
  if (options.fold_only) {
    result.folded = verdicts.TakeFolded();
  } else {
    Tell(verdicts, result);
  }
  return result;
}

void Tell(Verdicts& verdicts, CheckResult& result) {
  result.errors = verdicts.HasErrors();
  for (FoldedFinding& told : verdicts.TakeSorted()) {
    result.findings.push_back(std::move(told.finding));
    result.at.push_back(std::move(told.revisions));
  }
}

}  // namespace revctl::harness
