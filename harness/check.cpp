#include "harness/check.h"

#include "harness/signals/signals.h"

namespace harness {
namespace {

void CheckType(CheckContext& context, const RootType& root) {
  const History& history = context.history;
  TypeRun run(root, history, context.seed);
  // Decoded first: whether a condition that reads differently also decides differently is for the
  // goldens to say.
  const std::vector<Decoded> goldens = DecodeAll(context, root);
  CheckEnums(context, run);
  CheckLayout(context, run);
  for (const Decoded& decoded : goldens) {
    CheckBytes(context, root, decoded);
    CheckValue(context, root, decoded);
    CheckInherited(context, root, decoded);
    CheckUpgrade(context, root, decoded);
    CheckResaved(context, root, decoded);
    CheckRefusal(context, root, decoded);
  }
  CheckStability(context, run);
  CheckCoverage(context, run);
}

}  // namespace

CheckResult Check(const Registry& registry, const revctl::ListTable& list,
                  const golden::Store& store, const CheckOptions& options) {
  const History history(list, store);
  Verdicts verdicts;
  CheckResult result;
  result.types = registry.types.size();
  result.revisions = history.revisions().size();
  CheckContext context{registry,
                       history,
                       store,
                       verdicts,
                       options.seed,
                       options.program,
                       options.source_root,
                       options.build_root,
                       "",
                       Renames(store.approvals()),
                       options.thorough,
                       {},
                       {}};
  std::vector<std::string> names;
  for (const Revision& revision : history.revisions()) names.push_back(revision.name);
  context.list_prefix = CommonPrefix(names);
  CheckStore(context);
  if (!history.empty()) {
    CheckHeaders(context, list);
    CheckRecorded(context);
    CheckTypes(context);
    for (const RootType& root : registry.types) {
      CheckType(context, root);
      result.goldens += history.Goldens(root.name).size();
    }
  }
  result.errors = verdicts.HasErrors();
  result.findings = verdicts.Take();
  return result;
}

}  // namespace harness
