#include "revctl/repair/repair_list.h"

#include <algorithm>
#include <set>

#include "revctl/findings/rule_table.h"
#include "revctl/list/rules/rules.h"
#include "revctl/list/writing/edit.h"
#include "revctl/repair/merge_context.h"
#include "revctl/tree/tree.h"
#include "revctl/tree/work_tree.h"
#include "revctl/workspace/releases.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Rule;

/// Removes purged revisions, because a text merge may bring them back without a conflict.
Result<Done> DropPurged(const list::ListConfig& list, list::MergeOutput& merged) {
  auto parsed = list::Parse(merged.text, list, list.path);
  if (merged.conflict || !parsed.ok()) return Done{};
  std::vector<std::string> names;
  for (const list::Entry* entry : parsed->Revisions()) {
    if (list.purged.contains(entry->name)) names.push_back(entry->name);
  }
  if (names.empty()) return Done{};
  TRY(auto text, list::Remove(*parsed, list, names));
  merged.text = std::move(text);
  for (const std::string& name : names)
    merged.messages.push_back(list.path + ": " + name +
                              " is removed, because it was purged after landing");
  return Done{};
}

/// Returns the name of the "current" entry if it does not equal the latest revision, otherwise "".
/// Needed because `.revctl.yaml` does not declare this name, so a merge would keep its old value.
/// Ignores an entry that is equally out of date on the target.
std::string LaggingCurrent(const MergeScene& scene, const std::string& text) {
  const auto here = list::Parse(text, scene.list, scene.list.path);
  if (!here.ok()) return "";
  const auto landed = list::Parse(scene.context.landed_text, scene.list, scene.list.path);
  list::CheckedLists lists;
  lists.target = landed.ok() ? &*landed : nullptr;
  lists.merged = &*here;
  for (const Finding& finding : list::CheckRules(lists, scene.list)) {
    if (finding.rule == findings::RuleId::CurrentNotLatest) return finding.revision;
  }
  return "";
}

/// Returns the texts of the list at the merge bases with the target. During an uncommitted merge,
/// these include the other head's merge bases; on a release branch, they include the merge bases
/// with the release's own tip.
Result<std::vector<std::string>> LandedHere(const Workspace& workspace,
                                            const list::ListConfig& list) {
  const git::Repository& repository = workspace.repository();
  TRY(const auto releases, workspace.Releases());
  std::vector<std::string> texts;
  if (!releases.target) return texts;
  std::vector<git::Oid> tips{*releases.target};
  TRY(const auto release, FindReleaseHere(releases));
  if (release && release->tip) tips.push_back(*release->tip);
  std::set<git::Oid> seen;
  for (const char* name : {"HEAD", "MERGE_HEAD"}) {
    TRY(auto head, repository.RevParse(name));
    if (!head) continue;
    for (const git::Oid& tip : tips) {
      auto base = repository.MergeBase(*head, tip);
      // The merge base is unknown in a shallow clone, so nothing can be restored.
      if (!base.ok() || !*base || !seen.insert(**base).second) continue;
      TRY(auto there, workspace.At(**base).List(list));
      if (there.text) texts.push_back(std::move(*there.text));
    }
  }
  return texts;
}

/// Returns the findings about landed revisions in `here`. Ignores revisions that are missing from
/// `base`, because the branch does not contain them yet.
std::vector<Finding> Broken(const list::RevisionList& here, const list::RevisionList& landed,
                            const list::RevisionList& base, const std::string& target_label,
                            const list::ListConfig& list) {
  list::CheckedLists lists;
  lists.target = &landed;
  lists.merged = &here;
  lists.target_label = target_label;
  auto found = list::CheckRules(lists, list);
  std::erase_if(found, [&](const Finding& f) {
    // True if `current` or the sentinel is missing.
    const bool lost = Is(f, Rule::kNamesEntry) && here.Find(f.revision) == nullptr;
    return (!Is(f, Rule::kFixedByRestore) && !lost) || base.Find(f.revision) == nullptr ||
           landed.Find(f.revision) == nullptr;
  });
  return found;
}

/// Returns the findings of Broken() for each of `bases`, without duplicates.
std::vector<Finding> BrokenSince(const std::string& text, const std::string& landed_text,
                                 const std::vector<std::string>& bases,
                                 const std::string& target_label, const list::ListConfig& list) {
  const auto here = list::Parse(text, list, list.path);
  const auto landed = list::Parse(landed_text, list, list.path);
  std::vector<Finding> out;
  if (!here.ok() || !landed.ok()) return out;
  std::set<std::pair<findings::RuleId, std::string>> told;
  for (const std::string& base_text : bases) {
    const auto base = list::Parse(base_text, list, list.path);
    if (!base.ok()) continue;
    for (Finding& finding : Broken(*here, *landed, *base, target_label, list)) {
      if (told.emplace(finding.rule, finding.revision).second) out.push_back(std::move(finding));
    }
  }
  return out;
}

/// True if a landed revision has the wrong number or position. Such a revision must be repaired
/// before missing entries can be restored next to it.
bool IsMisplaced(const std::vector<Finding>& broken) {
  return std::any_of(broken.begin(), broken.end(),
                     [](const Finding& finding) { return Is(finding, Rule::kMovesLanded); });
}

}  // namespace

Result<ListRepair> ListRepair::Of(const Workspace& workspace, const list::ListConfig& list) {
  ListRepair out(workspace, list);
  TRY(out.scene_, GatherMergeScene(workspace.root(), workspace.GitPath(list.path)));
  out.scene_.context.confirms_numbers = true;
  out.scene_.context.text_merge = PlainTextMerge(7);
  TRY(out.bases_, LandedHere(workspace, list));
  return out;
}

std::vector<Finding> ListRepair::Broken(const std::string& text,
                                        const list::ListConfig& config) const {
  return BrokenSince(text, scene_.context.landed_text, bases_, workspace_->TargetLabel(), config);
}

bool ListRepair::LandedIsBroken(const std::string& text) const {
  return !bases_.empty() && !Broken(text, scene_.list).empty();
}

/// Restores the branch's landed revisions in a list without conflict markers.
Result<Done> ListRepair::PutBack(const list::ListConfig& config, list::MergeOutput& merged) const {
  list::MergeContext context = scene_.context;
  // The missing entries are known, so there is no need to search the releases or the branch.
  context.on_release = {};
  context.renamed = {};
  for (const std::string& base : bases_) {
    if (BrokenSince(merged.text, context.landed_text, {base}, workspace_->TargetLabel(), config)
            .empty())
      continue;
    TRY(auto whole, list::Restore(merged.text, base, config.path, context, config));
    std::swap(merged.messages, whole.messages);
    merged.messages.insert(merged.messages.begin(), whole.messages.begin(), whole.messages.end());
    merged.text = std::move(whole.text);
    merged.conflict = whole.conflict;
    if (merged.conflict) break;
  }
  return Done{};
}

Result<RepairedList> ListRepair::Repair(const std::string& text) const {
  const std::string path = workspace_->GitPath(list_->path);
  list::ListConfig config = scene_.list;
  if (config.current.empty()) config.current = LaggingCurrent(scene_, text);
  TRY(auto unmerged, IndexConflictsUnder(workspace_->repository(), path));
  Result<list::MergeOutput> merged = Error{};
  const bool markers = list::ConflictMarkerLine(text) != 0;
  if (const auto stages = unmerged.find(path); markers && stages != unmerged.end()) {
    TRY(auto sides, TextsOf(workspace_->repository(), stages->second));
    list::MergeInput input;
    input.base = sides[0];
    input.ours = sides[1];
    input.theirs = sides[2];
    input.path = list_->path;
    merged = list::Merge(input, scene_.context, config);
  }
  if (!merged.ok()) {
    const std::vector<Finding> wrong = markers ? std::vector<Finding>() : Broken(text, config);
    list::MergeContext context = scene_.context;
    context.renamed = {};  // neither side of a conflict marker is in the history
    if (wrong.empty() || IsMisplaced(wrong))
      merged = list::Resolve(text, list_->path, context, config);
    else merged = list::MergeOutput{false, text, {}};
  }
  if (!merged.ok()) return merged.error();
  TRY(DropPurged(*list_, *merged));
  RepairedList out;
  out.unmerged = unmerged.contains(path);
  if (!merged->conflict) {
    TRY(PutBack(config, *merged));
    merged->text = WithRightComments(merged->text);
    out.left = Broken(merged->text, config);
  }
  out.merged = std::move(*merged);
  return out;
}

std::string ListRepair::WithRightComments(const std::string& text) const {
  const list::ListConfig& list = scene_.list;
  const auto here = list::Parse(text, list, list.path),
             landed = list::Parse(scene_.context.landed_text, list, list.path);
  return here.ok() ? list::WithKeptNumbers(*here, landed.ok() ? &*landed : nullptr, list) : text;
}

bool HasNameClash(const list::ListConfig& list, const std::string& text) {
  const auto here = list::Parse(text, list, list.path);
  if (!here.ok()) return false;
  list::CheckedLists lists;
  lists.merged = &*here;
  const auto found = list::CheckRules(lists, list);
  return std::any_of(found.begin(), found.end(), [](const Finding& f) {
    return f.rule == findings::RuleId::NameTwice && !findings::IsMechanical(f.fix.kind);
  });
}

Result<bool> ListRepair::IsNeeded(const std::string& text) const {
  const list::ListConfig& config = scene_.list;
  if (list::ConflictMarkerLine(text) != 0) return true;
  const auto here = list::Parse(text, *list_, list_->path);
  if (!here.ok()) return false;
  if (!Broken(text, config).empty()) return true;
  for (const list::Entry* entry : here->Revisions()) {
    if (config.purged.contains(entry->name)) return true;
  }
  TRY(const auto releases, workspace_->Releases());
  TRY(const auto release, FindReleaseHere(releases));
  if (release) {
    // Numbers on a release branch come from the target, so only Repair() can compare them. If the
    // target lacks one of the revisions, a person must first decide what to do with it (RV018), so
    // report that nothing can be repaired.
    TRY(const auto on_target, workspace_->At(*releases.target).Parsed(*list_));
    const auto revisions = here->Revisions();
    return on_target && std::all_of(revisions.begin(), revisions.end(), [&](const auto* entry) {
             return on_target->Find(entry->name) != nullptr;
           });
  }
  const auto landed = list::Parse(scene_.context.landed_text, *list_, list_->path);
  // A cherry-pick may add a revision under the number that it had before it landed.
  for (const list::Entry* entry : here->Revisions()) {
    const list::Entry* there = landed.ok() ? landed->Find(entry->name) : nullptr;
    if (there != nullptr && there->number != entry->number) return true;
  }
  list::CheckedLists lists;
  lists.target = landed.ok() ? &*landed : nullptr;
  lists.merged = &*here;
  const auto found = list::CheckRules(lists, config);
  return std::any_of(found.begin(), found.end(), [&](const Finding& f) {
    // Ignore damaged landed entries: BrokenSince has already checked them, and entries that the
    // branch has not merged yet may be missing. Ignore late and duplicate numbers, because
    // RenumberList changes them.
    const bool own = !Is(f, Rule::kFixedByRestore) && !Is(f, Rule::kFixedByRenumber);
    const bool missing = Is(f, Rule::kNamesEntry) && here->Find(f.revision) == nullptr;
    return findings::IsMechanical(f.fix.kind) && own && !missing &&
           f.rule != findings::RuleId::NumberTooLarge &&
           f.rule != findings::RuleId::NumberInComment;
  });
}

}  // namespace revctl::commands
