#include "harness/signals/layout_finding.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/base/shell_word.h"

namespace revctl::harness {

Finding FindingOf(const CheckContext& context, const LayoutChange& change, const Advice& advice,
                  const std::string& type, const std::string& revision, const SourcePlace& at) {
  Finding finding{.rule = rule::kLayout,
                  .message = advice.sentence,
                  .file = context.Relative(at.file),
                  .line = at.line,
                  .revision = revision,
                  .fix = advice.Lines(),
                  .type = type,
                  .field = change.field,
                  .signal = "layout",
                  .details = fmt::format("recorded: {}\nnow:      {}\ncause:    {}",
                                         change.recorded_text, change.now_text, advice.cause)};
  return finding;
}

std::string CauseKey(const LayoutChange& change) {
  return CauseText(change.cause) + "\n" + change.recorded_text + "\n" + change.now_text;
}

std::optional<Acceptance> AcceptanceOf(const LayoutChange& change, const std::string& type) {
  using Kind = golden::Approval::Kind;
  const std::string path = type + "." + change.field;
  switch (change.cause) {
    case Cause::Renamed:
    case Cause::EnumeratorRenamed:
      return Acceptance{{.type = type, .from = change.field, .to = change.other},
                        "or, if only the name is another:",
                        "--rename " + base::ShellWord(path + "=" + change.other)};
    case Cause::EnumeratorAdded:
      return Acceptance{
          {.kind = Kind::Enumerator, .type = type, .to = change.field, .value = change.value},
          "or, if no released build would choke on it:",
          "--enumerator " + base::ShellWord(path)};
    case Cause::ConditionChanged:
      return Acceptance{{.kind = Kind::Condition,
                         .type = type,
                         .from = change.recorded->condition,
                         .to = change.now->condition,
                         .field = change.field},
                        "if it decides alike:",
                        "--condition " + base::ShellWord(path)};
    default:
      return std::nullopt;
  }
}

bool Acceptance::IsGiven(const CheckContext& context) const {
  const Renames& renames = context.renames;
  if (approval.kind == golden::Approval::Kind::Rename)
    return renames.Approved(approval.type, approval.from, approval.to);
  const auto& given = context.store.approvals();
  return std::any_of(given.begin(), given.end(), [&](const golden::Approval& one) {
    if (one.kind != approval.kind || one.type != approval.type) return false;
    return approval.kind == golden::Approval::Kind::Enumerator
               ? one.to == approval.to && one.value == approval.value
               : renames.Same(one.type, one.field, approval.field) &&
                     SameCondition(one.from, approval.from, renames) &&
                     SameCondition(one.to, approval.to, renames);
  });
}

void AddWaysToAccept(CheckContext& context, const std::optional<Acceptance>& acceptance,
                     std::size_t index, Finding& finding) {
  if (acceptance)
    finding.fix += fmt::format("\n{}\n{} approve {} --reason \"...\"", acceptance->condition,
                               context.options.program, acceptance->option);
  finding.fix = context.OrRefresh(std::move(finding.fix), index);
  if (acceptance) context.Offer(acceptance->approval, finding);
}

}  // namespace revctl::harness
