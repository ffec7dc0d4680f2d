#include "harness/check/check.h"

#include <cstdint>
#include <cstring>

#include <revctl/serialize.h>

#include "harness/history/harmless_changes.h"
#include "harness/isolation/job.h"
#include "harness/signals/decoded.h"
#include "harness/signals/pending_effect.h"
#include "harness/signals/signals.h"
#include "harness/trace/crash_breadcrumb.h"

namespace revctl::harness {
namespace {

void AddCost(std::vector<CellCost>& costs, const RootType& root, const std::string& revision,
             double milliseconds) {
  for (CellCost& cost : costs) {
    if (cost.type != root.name || cost.revision != revision) continue;
    cost.milliseconds += milliseconds;
    return;
  }
  costs.push_back({root.name, revision, milliseconds});
}

/// Runs the signals for one root type. Check() runs the signals for the whole store.
void CheckType(CheckContext& context, const RootType& root, std::vector<CellCost>& costs) {
  const Stopwatch whole;
  double of_goldens = 0;
  const History& history = context.history;
  if (context.options.layouts_only) {
    TypeRun run(root, history, context.options.seed, TypeRun::Runs::Visits);
    CheckLayout(context, run);
    CheckEnums(context, run);
    return;
  }
  if (!Progress::Enter(root.name, "creation of its samples")) return;
  TypeRun run(root, history, context.options.seed);
  AddNamesOfLocals(history, run.At(history.latest().number, {}).layouts, context.renames);
  // Decode first, because the goldens show whether a rewritten condition still has the same result.
  const std::vector<Decoded> goldens = DecodeAll(context, root);
  PendingEffect pending(context, root, goldens);
  CheckLayout(context, run);
  // Check enums after all revisions have run, because each run may visit more enums.
  CheckEnums(context, run);
  // Check the bytes first, because shifted bytes explain what other signals find in the same
  // goldens.
  const bool opaque = IsOpaque(root.type());
  for (const Decoded& decoded : goldens) {
    if (!opaque) break;
    Progress::Enter(root.name, "golden " + decoded.golden->id);
    CheckBytes(context, root, decoded);
  }
  for (const Decoded& decoded : goldens) {
    const Stopwatch watch;
    Progress::Enter(root.name, "golden " + decoded.golden->id);
    CheckDescribed(context, root, decoded);
    if (!opaque) CheckBytes(context, root, decoded);
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
    AddCost(costs, root, history.revisions()[decoded.golden->revision].name, cost);
    Progress::Done();
  }
  for (const Golden& golden : history.Large(root.name)) {
    const Stopwatch watch;
    if (!Progress::Enter(root.name, "golden " + golden.id)) continue;
    CheckLarge(context, root, golden);
    const double cost = watch.Milliseconds();
    of_goldens += cost;
    AddCost(costs, root, history.revisions()[golden.revision].name, cost);
    Progress::Done();
  }
  CheckStability(context, run);
  AddInclusive(context, root);
  CheckFresh(context, run);
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
  CheckContext context{registry, history, stale, verdicts, options, Renames(store.approvals())};
  std::vector<std::string> names;
  for (const Revision& revision : history.revisions()) names.push_back(revision.name);
  context.list_prefix = CommonPrefix(names);
  // If the store cannot be listed, everything would appear to be unrecorded.
  const bool judges = !history.empty() && store.listed();
  if (options.store) {
    CheckStore(context);
    if (judges) {
      CheckHeaders(context, list);
      CheckFiles(context, list);
      CheckStale(context);
      CheckUnreadImports(context);
      CheckRecorded(context);
      CheckEmptied(context);
      CheckTypes(context);
    }
  }
  if (judges) {
    for (const RootType& root : registry.types) {
      if (options.only && !options.only->contains(root.name)) continue;
      CheckType(context, root, result.costs);
      if (!options.layouts_only)
        result.goldens += history.Goldens(root.name).size() + history.Large(root.name).size();
    }
  }
  result.pending = std::move(context.acceptable);
  result.uncovered = std::move(context.uncovered);
  result.untested = std::move(context.untested);
  if (options.fold_only) {
    result.folded = verdicts.TakeFolded();
  } else {
    Tell(verdicts, result);
  }
  return result;
}

void Tell(Verdicts& verdicts, CheckResult& result) {
  for (FoldedFinding& told : verdicts.TakeSorted()) {
    result.findings.push_back(std::move(told.finding));
    result.at.push_back(std::move(told.revisions));
  }
  result.errors = findings::HasErrors(result.findings);
}

SERIALIZE_TYPE(CellCost) {
  ADD(0, type);
  ADD(0, revision);
  ADD(0, milliseconds);
}
SERIALIZE_END
SERIALIZE_TYPE(UntestedUpgrade) {
  ADD(0, type);
  ADD(0, revision);
}
SERIALIZE_END

namespace {

/// A Finding or Pending reduced to numbers and strings, for serialization.
struct FindingMessage {
  std::string key, rule, signal, type, field, revision, file, message, details, fix, cause, follows;
  std::vector<std::string> at, items, mentioned;
  std::uint8_t severity = 0;
  std::int32_t line = 0;
};
struct PendingMessage {
  std::string approval, text, fix;
};
struct ResultMessage {
  std::vector<FindingMessage> findings;
  std::vector<PendingMessage> pending;
  std::vector<CellCost> costs;
  std::vector<std::string> uncovered;
  std::vector<UntestedUpgrade> untested;
  std::uint64_t types = 0, revisions = 0, goldens = 0;
};

SERIALIZE_TYPE(FindingMessage) {
  ADD(0, key);
  ADD(0, at);
  ADD(0, rule);
  ADD(0, signal);
  ADD(0, type);
  ADD(0, field);
  ADD(0, revision);
  ADD(0, file);
  ADD(0, message);
  ADD(0, details);
  ADD(0, fix);
  ADD(0, cause);
  ADD(0, follows);
  ADD(0, items);
  ADD(0, mentioned);
  ADD(0, severity);
  ADD(0, line);
}
SERIALIZE_END
SERIALIZE_TYPE(PendingMessage) {
  ADD(0, approval);
  ADD(0, text);
  ADD(0, fix);
}
SERIALIZE_END
SERIALIZE_TYPE(ResultMessage) {
  ADD(0, findings);
  ADD(0, pending);
  ADD(0, costs);
  ADD(0, uncovered);
  ADD(0, untested);
  ADD(0, types);
  ADD(0, revisions);
  ADD(0, goldens);
}
SERIALIZE_END

}  // namespace

std::string PackCheckResult(const CheckResult& result) {
  ResultMessage message;
  for (const FoldedFinding& told : result.folded) {
    const Finding& f = told.finding;
    // The parent ignores the kind of a fix, so send only its text.
    message.findings.push_back(
        {told.key, std::string(findings::NameOf(f.rule)), f.signal, f.type, f.field, f.revision,
         f.file, f.message, f.details, FixText(f.fix), f.cause, f.follows, told.revisions, f.items,
         told.mentioned, static_cast<std::uint8_t>(f.severity), static_cast<std::int32_t>(f.line)});
  }
  for (const Pending& pending : result.pending) {
    // A pending change has no reason yet, but the file format requires one.
    golden::Approval approval = pending.approval;
    approval.reason = "pending";
    message.pending.push_back({golden::FormatApproval(approval), pending.text, pending.fix});
  }
  message.costs = result.costs;
  message.uncovered = result.uncovered;
  message.untested = result.untested;
  message.types = result.types;
  message.revisions = result.revisions;
  message.goldens = result.goldens;
  return Pack(message);
}

std::optional<CheckResult> UnpackCheckResult(const std::string& bytes) {
  ResultMessage message;
  if (!Unpack(bytes, message)) return std::nullopt;
  CheckResult result;
  for (FindingMessage& m : message.findings) {
    const findings::Rule* rule = findings::FindRule(m.rule);
    if (rule == nullptr) return std::nullopt;
    Finding finding{.rule = rule->id,
                    .severity = static_cast<Severity>(m.severity),
                    .message = std::move(m.message),
                    .file = std::move(m.file),
                    .line = m.line,
                    .revision = std::move(m.revision),
                    .fix = std::move(m.fix),
                    .type = std::move(m.type),
                    .field = std::move(m.field),
                    .signal = std::move(m.signal),
                    .details = std::move(m.details),
                    .items = std::move(m.items),
                    .cause = std::move(m.cause),
                    .follows = std::move(m.follows)};
    result.folded.push_back(
        {std::move(finding), std::move(m.at), std::move(m.key), std::move(m.mentioned)});
  }
  for (PendingMessage& m : message.pending) {
    auto approval = golden::ParseApproval(m.approval, "pending");
    if (!approval) return std::nullopt;
    approval->reason.clear();
    result.pending.push_back({std::move(*approval), std::move(m.text), std::move(m.fix)});
  }
  result.costs = std::move(message.costs);
  result.uncovered = std::move(message.uncovered);
  result.untested = std::move(message.untested);
  result.types = message.types;
  result.revisions = message.revisions;
  result.goldens = message.goldens;
  return result;
}

}  // namespace revctl::harness
