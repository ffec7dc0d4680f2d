#include "harness/signals/verdicts.h"

#include <fmt/core.h>
#include <algorithm>
#include <tuple>
#include <utility>

#include "harness/trace/tracing.h"

namespace revctl::harness {
namespace {

/// Formats revisions as ` (at SR_A)`, ` (at SR_A and SR_B)`, or ` (at 7 revisions, SR_A to SR_G)`.
std::string At(const std::vector<std::string>& revisions) {
  if (revisions.empty()) return "";
  if (revisions.size() == 1) return fmt::format(" (at {})", revisions[0]);
  if (revisions.size() == 2) return fmt::format(" (at {} and {})", revisions[0], revisions[1]);
  return fmt::format(" (at {} revisions, {} to {})", revisions.size(), revisions.front(),
                     revisions.back());
}

void AddRevision(FoldedFinding& told, const std::string& revision) {
  if (!revision.empty() &&
      std::find(told.revisions.begin(), told.revisions.end(), revision) == told.revisions.end()) {
    told.revisions.push_back(revision);
  }
}

/// Sets the finding's cause to `cause` plus the source position of its macro. This gives findings
/// at the macro of a nested type the same cause, even if several root types contain that type.
void NoteCause(Finding& finding, const std::string& cause) {
  if (finding.cause.empty() && finding.line != 0)
    finding.cause = fmt::format("{}\n{}:{}", cause, finding.file, finding.line);
}

}  // namespace

std::string Verdicts::Add(Finding finding, const std::string& cause,
                          std::vector<std::string> mentioned) {
  NoteCause(finding, cause);
  // The key has no indices, so that findings about `players[3].name` and `players[5].name` are
  // merged.
  const std::string key = std::string(findings::NameOf(finding.rule)) + "\n" + finding.type + "\n" +
                          PlaceOf(finding.field) + "\n" + cause;
  return AddUnder(key, std::move(finding), std::move(mentioned));
}

std::string Verdicts::AddFollowing(Finding finding, const std::string& cause,
                                   std::vector<std::string> mentioned) {
  NoteCause(finding, cause);
  const std::string key =
      std::string(findings::NameOf(finding.rule)) + "\n" + finding.type + "\nfollows\n" + cause;
  return AddUnder(key, std::move(finding), std::move(mentioned));
}

FoldedFinding& Verdicts::Folded(const std::string& key, Finding finding,
                                std::vector<std::string> mentioned) {
  const auto [found, fresh] = by_key_.emplace(key, folded_.size());
  if (fresh) folded_.push_back({std::move(finding), {}, key, std::move(mentioned)});
  return folded_[found->second];
}

std::string Verdicts::AddUnder(std::string key, Finding finding,
                               std::vector<std::string> mentioned) {
  const std::string revision = finding.revision;
  AddRevision(Folded(key, std::move(finding), std::move(mentioned)), revision);
  return key;
}

std::vector<FoldedFinding> Verdicts::TakeFolded() {
  by_key_.clear();
  return std::exchange(folded_, {});
}

void Verdicts::Join(std::vector<FoldedFinding> others) {
  for (FoldedFinding& told : others) {
    FoldedFinding& folded = Folded(told.key, std::move(told.finding), std::move(told.mentioned));
    for (const std::string& revision : told.revisions) AddRevision(folded, revision);
  }
}

std::vector<FoldedFinding> Verdicts::TakeSorted() {
  for (FoldedFinding& folded : folded_) {
    const auto& mentioned = folded.mentioned;
    const bool is_mentioned =
        folded.revisions.size() == 1 &&
        std::find(mentioned.begin(), mentioned.end(), folded.revisions[0]) != mentioned.end();
    if (!is_mentioned) folded.finding.message += At(folded.revisions);
    folded.finding.key = folded.key;
  }
  std::vector<FoldedFinding> told = TakeFolded();
  // Within a type, the layout comes first because it explains the other findings.
  std::stable_sort(told.begin(), told.end(), [](const FoldedFinding& a, const FoldedFinding& b) {
    return std::tie(a.finding.severity, a.finding.rule) <
           std::tie(b.finding.severity, b.finding.rule);
  });
  return told;
}

namespace {

/// True if both approvals are about the same change, even if different goldens show it.
bool SameChange(const golden::Approval& a, const golden::Approval& b) {
  return a.kind == b.kind && a.type == b.type && a.from == b.from && a.to == b.to &&
         a.field == b.field && a.value == b.value && a.after == b.after && a.changes == b.changes;
}

}  // namespace

void AddPending(std::vector<Pending>& all, Pending added) {
  const auto same = std::find_if(all.begin(), all.end(), [&](const Pending& pending) {
    return SameChange(pending.approval, added.approval);
  });
  if (same == all.end()) {
    all.push_back(std::move(added));
    return;
  }
  for (std::string& id : added.approval.cases) {
    auto& cases = same->approval.cases;
    if (std::find(cases.begin(), cases.end(), id) == cases.end()) cases.push_back(std::move(id));
  }
}

}  // namespace revctl::harness
