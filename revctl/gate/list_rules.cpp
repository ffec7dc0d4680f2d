// Rules about one list: it must be readable and merge as text, and the merged list must obey the
// rules of list/rules/.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/pending/block.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Rule;
using findings::RuleId;
using findings::Severity;

/// Returns a suggestion such as ", or git checkout ..." that restores the last readable version of
/// the list, from HEAD or the target. Returns "" if neither is readable.
std::string LastReadable(const ListFacts& facts) {
  if (!facts.InRepository()) return "";
  const git::Repository& repository = facts.request().repository();
  const std::string path = base::ShellPath(facts.path);
  const auto head = repository.Head();
  const auto text = head.ok() && *head
                        ? repository.ReadFile(**head, facts.path)
                        : Result<std::optional<std::string>>(std::optional<std::string>());
  if (text.ok() && facts.Parsed(*text)) return ", or git checkout HEAD -- " + path;
  if (!facts.Parsed(facts.target.text)) return "";
  return fmt::format(", or git checkout {} -- {} and then run revctl reserve for each new revision",
                     facts.request().target.ForGit(), path);
}

std::string FixOfUnreadable(const ListFacts& facts) {
  if (!facts.problems.unreadable->fix.empty()) return facts.problems.unreadable->fix;
  return "correct that line" + (facts.ours.text
                                    ? LastReadable(facts)
                                    : ", or git checkout -- " + base::ShellPath(facts.path));
}

/// Returns the entry of the change's list that a finding about `merged` refers to, or null. If the
/// name occurs several times, returns the same occurrence as in `merged`.
const list::Entry* EntryOf(const ListFacts& facts, const list::RevisionList& merged,
                           const Finding& finding) {
  const auto is_named = [&](const list::Entry& entry) { return entry.name == finding.revision; };
  const auto at = std::find_if(merged.entries.begin(), merged.entries.end(), [&](const auto& one) {
    return is_named(one) && one.line == finding.line;
  });
  const auto nth =
      at == merged.entries.end() ? 0 : std::count_if(merged.entries.begin(), at, is_named);
  auto left = nth;
  for (const list::Entry& entry : facts.whole.entries) {
    if (is_named(entry) && left-- == 0) return &entry;
  }
  // The change has fewer entries of this name than the merged list, so return the first of them.
  return nth == 0 ? nullptr : facts.whole.Find(finding.revision);
}

/// Points each finding to its revision's pending file or, if there is none, to the list.
Findings AtTheirFiles(const ListFacts& facts, const list::RevisionList& merged, Findings found) {
  for (Finding& finding : found) {
    finding.file = facts.path;
    const list::Entry* entry = finding.revision.empty() ? nullptr : EntryOf(facts, merged, finding);
    if (entry == nullptr) continue;
    finding.line = entry->line;
    if (!entry->pending_file.empty()) finding.file = facts.request().prefix() + entry->pending_file;
  }
  return found;
}

/// True if the finding exists only because a conflicting change is behind its target. A conflicting
/// change is checked without a merge. Therefore, the change seems to have deleted entries that only
/// the target has, and to have restored entries that the target has purged since the merge base.
bool IsOnlyBehind(const ListFacts& facts, const std::optional<list::RevisionList>& base,
                  const Finding& finding) {
  const bool from_base = base && base->Find(finding.revision) != nullptr;
  if (Is(finding, Rule::kComparesLanded)) return !from_base;
  return finding.rule == RuleId::NameTwice && from_base &&
         facts.config.purged.contains(finding.revision);
}

/// True if the list has a revision that has not landed and was not yet in the list at the merge
/// base.
bool IsAddedByHand(const ListFacts& facts) {
  const auto base = facts.Parsed(facts.base.text);
  const auto revisions = facts.alone.Revisions();
  return std::any_of(revisions.begin(), revisions.end(), [&](const list::Entry* entry) {
    return (!facts.landed() || facts.landed()->Find(entry->name) == nullptr) &&
           (!base || base->Find(entry->name) == nullptr);
  });
}

/// Returns the command that merges the target. In a shallow clone without the merge base, the
/// command first fetches the missing commits.
std::string MergeCommand(const ListFacts& facts) {
  const GateRequest& request = facts.request();
  const std::string merge = "git merge " + base::ShellWord(request.target.label);
  const auto shallow = request.repository().IsShallow();
  if (!shallow.ok() || !*shallow || !request.target.tip) return merge;
  const auto head = request.tree.Head();
  if (!head.ok() || !*head) return merge;
  const auto began = request.repository().MergeBase(**head, *request.target.tip);
  if (began.ok() && *began) return merge;
  return "this clone is shallow, and git cannot merge without the full history: git fetch "
         "--unshallow && " +
         merge;
}

findings::Fix FixOfConflict(const ListFacts& facts) {
  const std::string merge = MergeCommand(facts);
  if (!facts.merged->unreadable.empty()) return merge + " && revctl fix";
  if (!facts.IsRelease() && facts.AtLanding() && IsAddedByHand(facts))
    return findings::Fix::Mechanical();
  if (facts.IsRelease() || facts.AtLanding()) return merge + " (the merge driver resolves it)";
  return merge + " (or pull --rebase; the merge driver resolves it), then run revctl fix";
}

/// Returns the pending revisions that RV006 rejects. CheckLineages ignores these, because
/// renumbering them also restores the later lineages. Returns an empty set if the config allows
/// RV006.
std::set<std::string> LateRevisions(const ListFacts& facts) {
  const auto& allow = facts.policy().allow;
  const bool allowed = std::any_of(allow.begin(), allow.end(), [](const config::Allowance& one) {
    return one.rule == findings::NameOf(RuleId::LandsLate);
  });
  if (facts.IsRelease() || allowed) return {};
  return list::LateRevisions(ListsToCheck(facts, facts.merged->list), facts.config);
}

}  // namespace

Result<Findings> CheckReadable(const ListFacts& facts) {
  const GateRequest& request = facts.request();
  const std::string path = base::ShellPath(facts.path);
  if (facts.problems.unreadable) {
    Finding finding = facts.At(RuleId::UnreadableList, facts.problems.unreadable->line, "",
                               facts.problems.unreadable->message, FixOfUnreadable(facts));
    return Findings{std::move(finding)};
  }
  if (facts.problems.marker_line != 0)
    return Findings{facts.At(RuleId::ConflictMarkers, facts.problems.marker_line, "",
                             "unresolved conflict markers",
                             facts.InRepository() ? findings::Fix::Mechanical()
                                                  : "merge both sides and remove the markers")};
  if (facts.ours.text) return Findings{};
  if (facts.target.text || facts.base.text)
    return Findings{facts.At(
        RuleId::UnreadableList, 0, "", "the list was removed, but landed revisions must stay",
        !facts.InRepository()
            ? "restore the file"
            : fmt::format("git checkout {} -- {}",
                          request.target.tip ? request.target.ForGit() : "HEAD", path))};
  const std::string& name = facts.config.enum_name;
  return Findings{facts.At(
      RuleId::UnreadableList, 0, "",
      fmt::format("the file of list `{}` in .revctl.yaml does not exist", facts.config.name),
      fmt::format("correct `path` in .revctl.yaml, or create the list: echo 'enum {} {{ {}INITIAL "
                  "= 1 }};' > {}",
                  name.empty() ? "Revision" : name, facts.config.prefix, path))};
}

Result<Findings> CheckTargetAndIncludes(const ListFacts& facts) {
  Findings out;
  const bool at_landing = facts.AtLanding() || facts.turns_to_landing;
  if (const auto stray = pending::StrayInclude(facts.alone, facts.config, at_landing)) {
    out.push_back(facts.At(RuleId::UnreadableList, stray->line, "", stray->why,
                           "remove its #if...#endif block from " + base::ShellPath(facts.path)));
  }
  if (!facts.problems.target_unreadable) return out;
  out.push_back(facts.At(
      RuleId::UnreadableList, 0, "",
      fmt::format("cannot read the list on {} ({}), so landed revisions are unknown",
                  facts.request().target.Text(), ErrorText(*facts.problems.target_unreadable)),
      facts.IsRelease()      ? "push this change, which repairs the list"
      : facts.InRepository() ? "revctl land, because this change repairs the list"
                             : "submit this version, which repairs the list"));
  out.back().severity = Severity::Warning;
  return out;
}

Result<Findings> CheckListRules(const ListFacts& facts) {
  Findings found = list::CheckRules(ListsToCheck(facts, facts.merged->list), facts.config);
  if (facts.merged->conflict) {
    const auto base = facts.Parsed(facts.base.text);
    std::erase_if(found, [&](const Finding& f) { return IsOnlyBehind(facts, base, f); });
  }
  // Skip rules about reservations for a release, because its numbers come from the target, where
  // they were already checked.
  if (facts.IsRelease())
    std::erase_if(found, [](const Finding& f) { return Is(f, Rule::kOnlyWhereItLands); });
  return AtTheirFiles(facts, facts.merged->list, std::move(found));
}

Result<Findings> CheckRenames(const ListFacts& facts) {
  if (facts.renames.names.empty()) return Findings{};
  Findings found = list::CheckRules(ListsToCheck(facts, facts.whole), facts.config);
  std::erase_if(found, [](const Finding& f) { return f.rule != RuleId::LandedRenamed; });
  return AtTheirFiles(facts, facts.whole, std::move(found));
}

namespace {

/// RV029 and RV030 for pending revisions that the commit adds.
Findings CheckAddedByCommit(const ListFacts& facts,
                            const std::optional<list::RevisionList>& target) {
  Findings out;
  if (!facts.AtLanding() || facts.landed() == nullptr) return out;
  std::set<std::string> began;
  for (const auto& file : facts.base.pending) began.insert(file.file_name);
  auto files = facts.ours.pending;
  for (const list::Entry* entry : facts.alone.Revisions()) {
    if (facts.landed()->Find(entry->name) != nullptr ||
        (target && target->Find(entry->name) != nullptr) ||
        facts.renames.names.contains(entry->name))
      continue;
    const std::string file_name = entry->name + ".yaml";
    std::erase_if(files, [&](const auto& file) { return file.file_name == file_name; });
    if (!began.contains(file_name))
      out.push_back(facts.At(
          RuleId::WrongFold, entry->line, entry->name,
          entry->name +
              " was added to the list without a fold, but this list has `numbers: at-landing`",
          findings::Fix::Mechanical()));
  }
  for (const pending::Blocked& one : pending::MakePlan(facts.alone, facts.config, files).blocked) {
    if (!began.contains(one.file_name))
      out.push_back({.rule = RuleId::PendingFile,
                     .message = one.why,
                     .file = facts.PendingPath(one.file_name),
                     .line = one.line,
                     .revision = one.name,
                     .fix = one.fix});
  }
  return out;
}

}  // namespace

Result<Findings> CheckListOfCommit(const ListFacts& facts) {
  auto found = list::CheckRules(ListsToCheck(facts, facts.committed), facts.config);
  const bool ledger_known = facts.request().ledger.HasLedger();
  const auto target = facts.Parsed(facts.target.text);
  std::erase_if(found, [&](const Finding& f) {
    // A late number is normal before landing, and the reservation of a landed revision no longer
    // exists.
    return f.rule == RuleId::LandsLate ||
           (Is(f, Rule::kOnlyWhereItLands) &&
            (!ledger_known || (target && target->Find(f.revision) != nullptr)));
  });
  for (Finding& f : found) {
    if (!Is(f, Rule::kOnlyWhereItLands)) continue;
    f.severity = Severity::Warning;
    f.message +=
        fmt::format("; pushes to {} will fail until this is fixed", facts.request().target.label);
  }
  Findings out = AtTheirFiles(facts, facts.committed, std::move(found));
  TRY(Append(out, CheckAddedByCommit(facts, target)));
  return out;
}

Result<Findings> CheckTextMerge(const ListFacts& facts) {
  if (!facts.merged->conflict) return Findings{};
  const std::string target = facts.request().target.Text();
  if (!facts.merged->unreadable.empty())
    return Findings{facts.At(RuleId::TextMerge, 0, "",
                             fmt::format("a merge with {} produces an unreadable list: {}", target,
                                         facts.merged->unreadable),
                             FixOfConflict(facts))};
  const auto pending = facts.Pending();
  const list::Entry* first = pending.empty() ? nullptr : pending.front();
  return Findings{facts.At(
      RuleId::TextMerge, first == nullptr ? 0 : first->line, first == nullptr ? "" : first->name,
      fmt::format(
          "conflicts with {} in a text merge, and the merge button of a Git host only does text "
          "merges",
          target),
      FixOfConflict(facts))};
}

/// RV017 for pending revisions whose numbers would change in a text merge without conflicts.
Result<Findings> CheckShifts(const ListFacts& facts) {
  Findings out;
  // With `numbers: at-landing`, the fold assigns the numbers, and RV030 reports handwritten
  // numbers.
  if (facts.AtLanding() || facts.merged->conflict) return out;
  for (const list::Entry* entry : facts.Pending()) {
    const list::Entry* after = facts.merged->list.Find(entry->name);
    if (after != nullptr && after->number == entry->number) continue;
    out.push_back(facts.At(
        RuleId::TextMerge, entry->line, entry->name,
        fmt::format("{} is {} here, but {} when git merges {}", entry->name, entry->number,
                    after == nullptr ? "is removed" : fmt::format("becomes {}", after->number),
                    facts.request().target.Text()),
        MergeCommand(facts) + " && revctl fix"));
  }
  return out;
}

Result<Findings> CheckLineages(const ListFacts& facts) {
  if (facts.is_new || !facts.target.text || facts.merged->conflict) return Findings{};
  list::RevisionList merged = facts.merged->list;
  const std::set<std::string> late = LateRevisions(facts);
  std::erase_if(merged.entries,
                [&](const list::Entry& entry) { return late.contains(entry.name); });
  const std::uint64_t root = LineageRoot(facts.config);
  const auto before = list::Lineages(*facts.landed(), facts.landed_root);
  const auto after = list::Lineages(merged, root);
  std::unordered_map<std::string_view, const list::Lineage*> by_name;
  for (const list::Lineage& one : after) by_name.emplace(one.name, &one);
  for (const list::Lineage& old : before) {
    const auto found = by_name.find(old.name);
    if (found == by_name.end() || found->second->hash == old.hash) continue;
    const list::Entry* entry = facts.whole.Find(old.name);
    // Report only the first changed lineage, because all later ones change with it. If the landed
    // entries are unchanged, `lineage_root` must have changed.
    return Findings{facts.At(
        RuleId::LandedLineage, entry == nullptr ? 0 : entry->line, old.name,
        fmt::format(
            "the lineage of {} changes from {} to {}, so every file written from that revision on "
            "would be rejected as foreign",
            old.name, list::LineageText(old.hash), list::LineageText(found->second->hash)),
        root != facts.landed_root
            ? findings::Fix(fmt::format("git checkout {} -- {}   # restores `lineage_root`",
                                        facts.request().target.ForGit(), facts.change.config_path))
        : !facts.InRepository() ? findings::Fix("restore the landed entries")
                                : findings::Fix::Mechanical())};
  }
  return Findings{};
}

Result<Findings> CheckOldest(const ListFacts& facts) {
  const list::ListConfig& ours = *facts.ours.config;
  if (ours.oldest.empty() || facts.whole.entries.empty() ||
      facts.whole.Find(ours.oldest) != nullptr)
    return Findings{};
  const auto revisions = facts.whole.Revisions();
  return Findings{
      {.rule = RuleId::UnreadableList,
       .message = fmt::format("`oldest` of list `{}` names {}, which is not in {}", ours.name,
                              ours.oldest, facts.path),
       .file = facts.change.config_path,
       .revision = ours.oldest,
       .fix = fmt::format("set `oldest: {}`, or another revision of the list, in .revctl.yaml",
                          revisions.empty() ? "NAME" : revisions.front()->name)}};
}

}  // namespace revctl::commands
