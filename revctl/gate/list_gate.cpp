#include "revctl/gate/list_gate.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>

#include "revctl/base/shell_word.h"
#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/gate/pending.h"
#include "revctl/git/text_merge.h"
#include "revctl/list/merging/merge.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/list_view.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::Rule;
using findings::RuleId;
using findings::Severity;

/// Parses the text of a side; nullopt if there is none or it is invalid.
std::optional<list::RevisionList> Read(const std::optional<std::string>& text,
                                       const ThreeSides& sides) {
  if (!text) return std::nullopt;
  auto parsed = list::Parse(*text, sides.config, sides.path);
  if (!parsed.ok()) return std::nullopt;
  return std::move(*parsed);
}

}  // namespace

Finding UnreadableList(const std::string& path, const Error& error) {
  const std::string mend = "mend that place, or git checkout -- " + base::ShellPath(path);
  Finding finding{RuleId::UnreadableList,
                  Severity::Error,
                  error.message,
                  path,
                  0,
                  "",
                  error.fix.empty() ? mend : error.fix};
  const std::string lead = path + ":";
  if (error.message.starts_with(lead)) {
    finding.line = std::atoi(error.message.c_str() + lead.size());
    const std::size_t text = error.message.find(": ");
    if (text != std::string::npos) finding.message = error.message.substr(text + 2);
  }
  return finding;
}

ListGate::ListGate(const GateRequest& request, const config::Config& policy, ThreeSides sides,
                   std::vector<Finding>& out)
    : request_(request), policy_(policy), sides_(std::move(sides)), out_(out) {}

std::vector<const list::Entry*> ListGate::Pending() const {
  return Numbering{landed(), &ours_, {}, &sides_.config.purged}.Pending();
}

Finding& ListGate::Add(RuleId rule, std::string message, int line, std::string revision,
                       std::string fix, Severity severity) {
  Finding finding{rule,     severity,      std::move(message), sides_.path, line,
                  std::move(revision), std::move(fix)};
  const list::Entry* entry = finding.revision.empty() ? nullptr : ours_.Find(finding.revision);
  if (entry != nullptr && !entry->pending_file.empty())
    finding.file = request_.prefix + entry->pending_file;
  return out_.emplace_back(std::move(finding));
}

void ListGate::AddAt(std::string file, int line, Finding finding) {
  finding.file = std::move(file);
  finding.line = line;
  out_.push_back(std::move(finding));
}

void ListGate::Take(std::vector<Finding> found) {
  for (Finding& finding : found) {
    finding.file = sides_.path;
    const list::Entry* entry = finding.revision.empty() ? nullptr : ours_.Find(finding.revision);
    if (entry != nullptr) finding.line = entry->line;
    if (entry != nullptr && !entry->pending_file.empty())
      finding.file = request_.prefix + entry->pending_file;
    out_.push_back(std::move(finding));
  }
}

Result<Done> ListGate::Run() {
  if (!sides_.ours) {
    if (!sides_.target && !sides_.base) {
      Add(RuleId::UnreadableList,
          fmt::format("there is no such file, though list `{}` of .revctl.yaml names it",
                      sides_.config.name),
          0, "",
          fmt::format("write the `path` that it has in .revctl.yaml, or begin it: echo 'enum {} {{ "
                      "{}INITIAL = 1 }};' > {}",
                      sides_.config.enum_name.empty() ? "Revision" : sides_.config.enum_name,
                      sides_.config.prefix, base::ShellPath(sides_.path)));
    } else {
      Add(RuleId::UnreadableList, "the list is gone; landed revisions stay for good", 0, "",
          fmt::format("git checkout {} -- {}", request_.target ? request_.TargetForGit() : "HEAD",
                      base::ShellPath(sides_.path)));
    }
    return Done{};
  }
  if (const int line = list::ConflictMarkerLine(*sides_.ours); line != 0) {
    Add(RuleId::ConflictMarkers, "conflict markers were left here", line, "",
        "revctl resolve " + base::ShellPath(sides_.path));
    return Done{};
  }
  auto ours = list::Parse(*sides_.ours, sides_.config, sides_.path);
  if (!ours.ok()) {
    if (ours.error().fix.empty()) ours.error().fix = "mend that place" + LastReadable();
    out_.push_back(UnreadableList(sides_.path, ours.error()));
    return Done{};
  }
  alone_ = std::move(*ours);
  CheckIncludes();
  plan_ = pending::MakePlan(alone_, sides_.config, sides_.pending.ours);
  auto with_pending = pending::Folded(alone_, sides_.config, plan_);
  if (!with_pending.ok()) {
    out_.push_back(UnreadableList(sides_.path, with_pending.error()));
    return Done{};
  }
  ours_ = std::move(*with_pending);
  if (request_.scope == GateRequest::Scope::Commit) {
    return CheckCommit();
  }
  ReadLanded();
  auto merged = CheckMergedList();
  if (!merged.ok()) return merged;
  if (request_.scope == GateRequest::Scope::Release) {
    TRY(CheckPendingOnRelease(*this));
    auto judged = CheckRelease(*this);
    if (!judged.ok()) return judged;
  }
  auto judged = CheckGoldens(*this, out_);
  return judged.ok() && request_.scope == GateRequest::Scope::Landing && !request_.on_the_way
             ? CheckStaleGoldens(*this, out_)
             : judged;
}

/// Returns ", or git checkout ..." for the last readable list at HEAD or on the target, or "".
std::string ListGate::LastReadable() const {
  auto head = request_.repository->Head();
  auto there = head.ok() && *head ? request_.repository->ReadFile(**head, sides_.path)
                                  : Result<std::optional<std::string>>(std::nullopt);
  if (there.ok() && Read(*there, sides_))
    return ", or git checkout HEAD -- " + base::ShellPath(sides_.path);
  if (!Read(sides_.target, sides_)) return "";
  return fmt::format(", or git checkout {} -- {} and revctl reserve for what is new",
                     request_.TargetForGit(), base::ShellPath(sides_.path));
}

void ListGate::ReadLanded() {
  if (!sides_.target) {
    // This change adds the list, so its revisions start the line, and none could be reserved
    // before. A new release starts from the list where it was cut.
    if (request_.scope == GateRequest::Scope::Release) landed_ = Read(sides_.base, sides_);
    if (!landed_) landed_ = alone_;
    return;
  }
  auto landed = list::Parse(*sides_.target, sides_.config, sides_.path);
  if (landed.ok()) {
    landed_ = std::move(*landed);
    if (sides_.pending.target.empty()) return;
    auto there = pending::Folded(*landed_, sides_.config,
                                 pending::MakePlan(*landed_, sides_.config, sides_.pending.target));
    if (there.ok()) there_ = std::move(*there);
    return;
  }
  // Do not block the change that fixes an unreadable list on the target; check it on its own.
  Add(RuleId::UnreadableList,
      fmt::format("the list on {} cannot be read ({}): what has landed is not known",
                  request_.TargetText(), landed.error().message),
      0, "",
      request_.scope == GateRequest::Scope::Release ? "push this change: it mends the list"
                                                    : "revctl land: this change mends it",
      Severity::Warning);
  landed_ = alone_;
  sides_.base = sides_.target = sides_.ours;
}

Result<list::RevisionList> ListGate::WithPending(
    const list::RevisionList& list, const std::vector<pending::PendingText>& files) const {
  std::map<std::string, std::string> landed;
  for (const pending::PendingText& file : files) {
    const std::string name = pending::NameOfFile(file.file_name);
    const list::Entry* entry = landed_ ? landed_->Find(name) : nullptr;
    if (entry != nullptr && entry->kind == list::EntryKind::Revision)
      landed.emplace(name, "it has landed");
  }
  return pending::Folded(list, sides_.config,
                         pending::MakePlan(list, sides_.config, files, landed));
}

list::CheckedLists ListGate::Lists(const list::RevisionList& merged) const {
  list::CheckedLists lists;
  lists.target = landed();
  lists.merged = &merged;
  lists.target_label = request_.target_label;
  if (request_.target && request_.TargetText() != request_.target_label)
    lists.target_commit = *request_.target;
  lists.reservation_required = policy_.reservation_required;
  lists.release = request_.scope == GateRequest::Scope::Release;
  lists.ledger_copy = request_.ledger_copy;
  if (AtLanding()) {
    // The pending file is the reservation.
    lists.reservation_required = false;
    return lists;
  }
  // If the server has no ledger yet, nothing is reserved, which is a known state.
  if (request_.ledger != nullptr && (request_.ledger->tip || request_.ledger_asked)) {
    lists.reservations.emplace();
    auto found = request_.ledger->state.lists.find(sides_.config.name);
    if (found != request_.ledger->state.lists.end()) {
      lists.high_water = found->second.high_water.value_or(lists.high_water);
      for (const auto& r : found->second.open)
        lists.reservations->push_back({r.name, r.number, r.who.Text()});
    }
  }
  return lists;
}

/// Checks #include lines, because only the compiler reads the included entries.
void ListGate::CheckIncludes() {
  const auto stray =
      pending::StrayInclude(alone_, sides_.config, AtLanding() || sides_.pending.turns);
  if (stray)
    Add(RuleId::UnreadableList, stray->why, stray->line, "",
        "take the lines from its #if to its #endif out of " + base::ShellPath(sides_.path));
}

/// pre-commit: compares with the merge base, and reports only what is wrong on any branch.
Result<Done> ListGate::CheckCommit() {
  landed_ = Read(sides_.base, sides_);
  TRY(auto committed, WithPending(alone_, sides_.pending.ours));
  auto found = list::CheckRules(Lists(committed), sides_.config);
  const bool ledger_known = request_.ledger != nullptr && request_.ledger->tip;
  const auto target = Read(sides_.target, sides_);
  std::erase_if(found, [&](const Finding& f) {
    // A late number is normal before landing, and landed revisions have no reservation.
    return f.rule == RuleId::LandsLate ||
           (Is(f, Rule::kOnlyWhereItLands) &&
            (!ledger_known || (target && target->Find(f.revision) != nullptr)));
  });
  for (Finding& f : found) {
    if (!Is(f, Rule::kOnlyWhereItLands)) continue;
    f.severity = Severity::Warning;
    f.message +=
        fmt::format("; a push to {} is refused until that is mended", request_.target_label);
  }
  Take(std::move(found));
  if (!AtLanding() || !landed_) return Done{};
  const auto began = [&](const std::string& file_name) {
    return std::any_of(sides_.pending.base.begin(), sides_.pending.base.end(),
                       [&](const auto& file) { return file.file_name == file_name; });
  };
  auto files = sides_.pending.ours;
  for (const list::Entry* entry : alone_.Revisions()) {
    if (landed_->Find(entry->name) != nullptr || (target && target->Find(entry->name) != nullptr))
      continue;
    const std::string file_name = entry->name + ".yaml";
    std::erase_if(files, [&](const auto& file) { return file.file_name == file_name; });
    if (!began(file_name))
      Add(RuleId::WrongFold,
          entry->name + " was written into the list by hand; numbers are given at landing",
          entry->line, entry->name, "revctl sync --adopt");
  }
  for (const pending::Blocked& one : pending::MakePlan(alone_, sides_.config, files).blocked) {
    if (!began(one.file_name))
      AddAt(request_.prefix + pending::Folder(sides_.config) + "/" + one.file_name, one.line,
            {RuleId::PendingFile, Severity::Error, one.why, "", 0, one.name, one.fix});
  }
  return Done{};
}

/// True if the list has a revision that neither landed nor was there at the merge base.
bool ListGate::IsAddedByHand() const {
  const auto base = Read(sides_.base, sides_);
  const auto revisions = alone_.Revisions();
  return std::any_of(revisions.begin(), revisions.end(), [&](const list::Entry* entry) {
    return (!landed_ || landed_->Find(entry->name) == nullptr) &&
           (!base || base->Find(entry->name) == nullptr);
  });
}

/// Checks the result of git's own text merge with the target, because hosts merge that way.
Result<Done> ListGate::CheckMergedList() {
  const bool release = request_.scope == GateRequest::Scope::Release;
  list::RevisionList merged = alone_;
  bool conflict = false;
  if (sides_.target && sides_.target != sides_.base) {
    auto text = git::TextMerge(sides_.base.value_or(""), *sides_.ours, *sides_.target,
                               {"this change", request_.target_label, 7});
    conflict = !text.ok() || text->conflict;
    if (conflict) {
      const auto pending = Pending();
      const list::Entry* first = pending.empty() ? nullptr : pending.front();
      const std::string there = base::ShellWord(request_.target_label);
      Add(RuleId::TextMerge,
          fmt::format("does not merge with {} as text, which is what a host's merge button does",
                      request_.TargetText()),
          first == nullptr ? 0 : first->line, first == nullptr ? "" : first->name,
          !release && AtLanding() && IsAddedByHand() ? "revctl sync --adopt"
          : release || AtLanding()
              ? fmt::format("git merge {} (the merge driver resolves it)", there)
              : fmt::format("git merge {} (or pull --rebase; the merge driver resolves it), then "
                            "revctl renumber",
                            there));
    } else if (auto parsed = list::Parse(text->text, sides_.config, sides_.path); parsed.ok()) {
      merged = std::move(*parsed);
    } else {
      conflict = true;
      Add(RuleId::TextMerge,
          fmt::format("merges with {} into a list that cannot be read: {}", request_.TargetText(),
                      parsed.error().message),
          0, "",
          fmt::format("git merge {} && revctl resolve", base::ShellWord(request_.target_label)));
    }
  }
  if (AtLanding()) {
    std::vector<std::string> clashes;
    const auto& sides = sides_.pending;
    const auto files = sides_.target
                           ? pending::MergeFiles(sides.base, sides.ours, sides.target, clashes)
                           : sides.ours;
    if (!release) {
      auto judged = CheckPending(*this, merged, files, clashes);
      if (!judged.ok()) return judged;
    }
    TRY(merged, WithPending(merged, files));
  } else if (sides_.pending.turns && !release) {
    TRY(CheckTurnToLanding(*this, alone_));
  }
  auto found = list::CheckRules(Lists(merged), sides_.config);
  if (conflict) {
    // In a conflict, check the change as it is. Entries missing because the change is behind its
    // target are not deletions.
    const auto base = Read(sides_.base, sides_);
    const auto from_base = [&](const Finding& f) {
      return base && base->Find(f.revision) != nullptr;
    };
    std::erase_if(found,
                  [&](const Finding& f) { return Is(f, Rule::kComparesLanded) && !from_base(f); });
    // Likewise, entries that the target has purged since the merge base are not brought back.
    std::erase_if(found, [&](const Finding& f) {
      return f.rule == RuleId::NameTwice && sides_.config.purged.contains(f.revision) &&
             from_base(f);
    });
  }
  if (AtLanding()) DropNumbersOfHand(found);
  const bool frozen_broken = std::any_of(
      found.begin(), found.end(), [](const Finding& f) { return f.rule <= RuleId::LandedRenamed; });
  if (release)
    std::erase_if(found, [](const Finding& f) { return Is(f, Rule::kOnlyWhereItLands); });
  Take(std::move(found));
  if (conflict) return Done{};
  CheckShifts(merged);
  if (!frozen_broken) CheckLineages(merged);
  return Done{};
}

/// Drops findings about numbers of hand-written entries, because the fix of RV030 removes these.
void ListGate::DropNumbersOfHand(std::vector<Finding>& found) const {
  std::erase_if(found, [&](const Finding& f) {
    return (f.rule == RuleId::NumberTwice || Is(f, Rule::kOnlyWhereItLands)) &&
           std::any_of(out_.begin(), out_.end(), [&](const Finding& other) {
             return other.rule == RuleId::WrongFold && other.revision == f.revision;
           });
  });
}

/// RV017: a clean text merge gives a pending revision another number than its author sees.
void ListGate::CheckShifts(const list::RevisionList& merged) {
  if (AtLanding()) return;  // the fold gives the numbers, and RV030 reports hand-written ones
  for (const list::Entry* entry : Pending()) {
    const list::Entry* after = merged.Find(entry->name);
    if (after != nullptr && after->number == entry->number) continue;
    const bool release = request_.scope == GateRequest::Scope::Release;
    Add(RuleId::TextMerge,
        fmt::format("{} is {} here, and {} once git has merged {}", entry->name, entry->number,
                    after == nullptr ? "gone" : std::to_string(after->number),
                    request_.TargetText()),
        entry->line, entry->name,
        fmt::format("git merge {} && revctl {}", base::ShellWord(request_.target_label),
                    release ? "resolve" : "renumber"));
  }
}

/// Removes pending revisions that RV006 rejects, because fixing those restores the lineages after
/// them. Keeps all if the config allows RV006.
list::RevisionList ListGate::WithoutLate(list::RevisionList merged) const {
  if (std::any_of(policy_.allow.begin(), policy_.allow.end(), [](const config::Allowance& one) {
        return one.rule == findings::NameOf(RuleId::LandsLate);
      }))
    return merged;
  std::set<std::string_view> late;
  for (const Finding& finding : out_) {
    if (finding.rule == RuleId::LandsLate && finding.file == sides_.path)
      late.insert(finding.revision);
  }
  std::erase_if(merged.entries,
                [&](const list::Entry& entry) { return late.contains(entry.name); });
  return merged;
}

/// RV023: the lineage of a landed revision changed, and no other rule has reported why.
void ListGate::CheckLineages(const list::RevisionList& merged) {
  if (!sides_.target) return;
  const auto before = list::Lineages(*landed_, sides_.landed_root);
  const auto after = list::Lineages(WithoutLate(merged), LineageRoot(sides_.config));
  std::unordered_map<std::string_view, const list::Lineage*> by_name;
  for (const list::Lineage& one : after) by_name.emplace(one.name, &one);
  for (const list::Lineage& old : before) {
    const auto found = by_name.find(old.name);
    if (found == by_name.end() || found->second->hash == old.hash) continue;
    const list::Lineage* const now = found->second;
    const list::Entry* entry = ours_.Find(old.name);
    Add(RuleId::LandedLineage,
        fmt::format("the lineage of {} changes from {} to {}: every file written since then would "
                    "be foreign",
                    old.name, list::LineageText(old.hash), list::LineageText(now->hash)),
        entry == nullptr ? 0 : entry->line, old.name,
        // All entries are as they landed, so `lineage_root` must have changed.
        LineageRoot(sides_.config) != sides_.landed_root
            ? fmt::format("git checkout {} -- {}{} puts `lineage_root` back",
                          request_.TargetForGit(), request_.prefix, config::kFileName)
            : "revctl resolve");
    return;  // later lineages differ as a consequence
  }
}

}  // namespace revctl::commands
