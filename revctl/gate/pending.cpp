// Checks the pending files of lists with `numbers: at-landing`, for a change and for a release.
#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/git/history.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;
using pending::PendingText;

/// The pending files of a change, and the fold plans before and after the change.
struct PendingFacts {
  explicit PendingFacts(const ListFacts& of);
  const GateRequest& request() const { return facts.request(); }
  /// Returns the path that a pending file has on the target.
  std::string PathOnTarget(const std::string& file_name) const {
    list::ListConfig there = facts.config;
    if (facts.target.config != nullptr) there.path = facts.target.path();
    return request().prefix() + pending::Folder(there) + "/" + file_name;
  }
  bool FolderMoved() const { return PathOnTarget("") != facts.PendingPath(""); }
  const list::RevisionList& merged() const { return facts.merged->alone; }
  const pending::Plan& before() const { return facts.target_plan; }
  Finding At(const std::string& file_name, std::string message, const findings::Fix& fix) const {
    return {.rule = RuleId::PendingFile,
            .message = std::move(message),
            .file = facts.PendingPath(file_name),
            .revision = pending::NameOfFile(file_name),
            .fix = fix};
  }

  const ListFacts& facts;
  /// Entries of the merged list that the target's list lacks.
  std::vector<const list::Entry*> added;
  /// plan after the change, without the pending files of the entries in `added`
  pending::Plan after;
  std::map<std::string, const PendingText*> on_target, here;  ///< pending files by file name
};

PendingFacts::PendingFacts(const ListFacts& of) : facts(of) {
  std::set<std::string> own_findings;
  for (const list::Entry* entry : merged().Revisions()) {
    if (of.landed() == nullptr || !request().target.tip ||
        of.landed()->Find(entry->name) != nullptr || of.config.purged.contains(entry->name) ||
        of.renames.names.contains(entry->name))
      continue;
    added.push_back(entry);
    own_findings.insert(entry->name + ".yaml");
  }
  auto files = of.merged->pending;
  std::erase_if(files,
                [&](const PendingText& file) { return own_findings.contains(file.file_name); });
  after = pending::MakePlan(merged(), of.config, files);
  for (const PendingText& file : of.target.pending) on_target[file.file_name] = &file;
  for (const PendingText& file : of.merged->pending) here[file.file_name] = &file;
}

/// Reports the include file if git tracks it, because every clone has to generate its own.
Result<Findings> CheckInclude(const ListFacts& facts) {
  const GateRequest& request = facts.request();
  const std::string path = request.prefix() + pending::IncludePath(facts.config);
  const auto tracked =
      request.tree.IsWorkTree() ? request.repository().ReadStaged(path) : request.tree.Read(path);
  if (!tracked.ok() && tracked.error().exit == base::Exit::Environment) return tracked.error();
  if (tracked.ok() && !*tracked) return Findings{};
  return Findings{
      {.rule = RuleId::PendingFile,
       .message = "the include file of pending revisions is committed, but every work tree must "
                  "generate its own",
       .file = path,
       .fix = fmt::format("git rm -f --cached {} && revctl fix", base::ShellPath(path))}};
}

/// Checks that the list includes the include file once, after the last revision.
Findings CheckBlock(const ListFacts& facts, const list::RevisionList& list) {
  const auto fault = pending::FaultOfBlock(list, facts.config);
  if (!fault) return {};
  return {facts.At(
      RuleId::PendingFile, list.text == facts.ours.text ? fault->line : 0, "",
      fault->why + (fault->line == 0 ? "" : "; it must include them once, after the last revision"),
      findings::Fix::Mechanical())};
}

/// Returns an RV030 finding. Its fix restores the pending files of the target.
template <class... Parts>
Finding FoldFinding(const PendingFacts& p, const list::Entry& entry,
                    fmt::format_string<Parts&...> text, Parts&... parts) {
  return p.facts.At(RuleId::WrongFold, entry.line, entry.name, fmt::format(text, parts...),
                    p.facts.stays_at_landing
                        ? findings::Fix::Mechanical()
                        : findings::Fix(fmt::format("git merge {} && revctl fix",
                                                    base::ShellWord(p.request().target.label))));
}

/// Checks that the added entries are a valid fold. Each entry must have had a pending file on the
/// target, which the change must remove. The entries must be in the planned order, with the next
/// numbers and with the comments that a fold writes.
Result<Findings> CheckAdded(const PendingFacts& p) {
  Findings out;
  if (p.added.empty()) return out;
  std::map<std::string, std::string> others;
  for (const pending::Numbered& one : p.before().order)
    others.emplace(one.name, "it stays pending");
  std::set<std::string> names;
  for (const list::Entry* entry : p.added) {
    names.insert(entry->name);
    others.erase(entry->name);
  }
  TRY(const auto folded, pending::Folded(*p.facts.landed(), p.facts.config,
                                         pending::MakePlan(*p.facts.landed(), p.facts.config,
                                                           p.facts.target.pending, others)));
  std::vector<const pending::Numbered*> wanted;
  for (const pending::Numbered& one : p.before().order) {
    if (names.contains(one.name)) wanted.push_back(&one);
  }
  const std::int64_t first = p.before().order.empty() ? 0 : p.before().order.front().number;
  std::size_t at = 0;
  for (const list::Entry* entry : p.added) {
    const pending::Numbered* planned = p.before().Find(entry->name);
    if (planned == nullptr) {
      const pending::Blocked* blocked = p.before().FindBlocked(entry->name);
      const std::string why = blocked != nullptr
                                  ? "its pending file cannot be folded, because " + blocked->why
                                  : p.request().target.Text() + " has no pending file for it";
      out.push_back(FoldFinding(p, *entry, "{} ({}) was added to the list without a fold: {}",
                                entry->name, entry->number, why));
      continue;
    }
    const std::int64_t number = first + static_cast<std::int64_t>(at);
    const pending::Numbered* expected = at < wanted.size() ? wanted[at] : nullptr;
    ++at;
    if (expected != nullptr && expected->name != entry->name) {
      out.push_back(FoldFinding(
          p, *entry,
          "{} is listed where a fold would put {}; a fold sorts pending revisions by `after`, then "
          "by name",
          entry->name, expected->name));
      break;  // later entries are only wrong as a consequence
    }
    std::string without;
    for (const std::string& before : planned->after) {
      if (!names.contains(before) && p.before().Find(before) != nullptr) without = before;
    }
    const list::Entry* made = folded.Find(entry->name);
    if (entry->number != number)
      out.push_back(FoldFinding(p, *entry, "{} is {}, but a fold assigns {}", entry->name,
                                entry->number, number));
    else if (!without.empty())
      out.push_back(FoldFinding(
          p, *entry, "{} was folded, but {}, which must come before it, is still pending",
          entry->name, without));
    else if (p.here.contains(entry->name + ".yaml"))
      out.push_back(
          FoldFinding(p, *entry, "{} is folded, but its pending file still exists", entry->name));
    else if (made != nullptr && entry->comment != made->comment)
      out.push_back(
          FoldFinding(p, *entry,
                      "the comment of {} does not match the comment that a fold writes; without "
                      "an exact match, revctl cannot recognize a pending file that reappears",
                      entry->name));
  }
  return out;
}

/// Checks that the change does not edit or remove files that are pending on the target, except by a
/// fold.
Result<Findings> CheckFrozen(const PendingFacts& p) {
  Findings out;
  if (!p.request().target.tip) return out;
  for (const auto& [file_name, file] : p.on_target) {
    const std::string name = pending::NameOfFile(file_name);
    const auto now = p.here.find(file_name);
    if (now != p.here.end() && *now->second == *file) continue;
    // A file may be missing if a fold has turned it into an entry. Files that were invalid on the
    // target may change in any way.
    const list::Entry* entry = now == p.here.end() ? p.merged().Find(name) : nullptr;
    const bool folded = entry != nullptr && entry->kind == list::EntryKind::Revision;
    if (folded || p.before().Find(name) == nullptr) continue;
    if (now == p.here.end() && p.FolderMoved()) {
      // Skip a file that was left behind when the list moved, because stray_pending.cpp reports it.
      TRY(const bool left, p.request().tree.Exists(p.PathOnTarget(file_name)));
      if (left) continue;
    }
    out.push_back(p.At(
        file_name,
        fmt::format("the pending file of {} has landed on {}, but this change {}", name,
                    p.request().target.label,
                    now == p.here.end() ? "removes it; to remove its fields, reserve a new revision"
                                        : "edits it"),
        now == p.here.end() && !p.FolderMoved()
            ? findings::Fix::Mechanical()
            : findings::Fix(fmt::format("git checkout {} -- {}", p.request().target.ForGit(),
                                        base::ShellPath(p.PathOnTarget(file_name))))));
  }
  return out;
}

const pending::Blocked* BlockedOnTarget(const PendingFacts& p, const pending::Blocked& one) {
  for (const pending::Blocked& candidate : p.before().blocked) {
    if (candidate.file_name == one.file_name) return &candidate;
  }
  return nullptr;
}

bool IsUnchanged(const PendingFacts& p, const std::string& file_name) {
  const auto there = p.on_target.find(file_name), here = p.here.find(file_name);
  return there != p.on_target.end() && here != p.here.end() && *there->second == *here->second;
}

/// Returns a fix that edits a file of this change, because files that have landed must not change.
findings::Fix FixHere(const PendingFacts& p, const pending::Blocked& one) {
  for (std::size_t i = 0; i < one.circle.size(); ++i) {
    if (p.before().Find(one.circle[i]) == nullptr)
      return pending::RemoveFromAfterFix(p.facts.config, one.circle[i],
                                         one.circle[(i + 1) % one.circle.size()]);
  }
  if (!one.taken || BlockedOnTarget(p, one) != nullptr || !IsUnchanged(p, one.file_name))
    return one.fix;
  for (const pending::Blocked& other : p.after.blocked) {
    if (other.file_name != one.file_name && base::Lower(other.name) == base::Lower(one.name))
      return other.fix;
  }
  return fmt::format("git checkout {} -- {}", p.request().target.ForGit(),
                     base::ShellPath(p.request().prefix() + p.facts.config.path));
}

/// Reports the pending files that cannot be folded.
Findings CheckBlocked(PendingFacts& p) {
  for (pending::Blocked& one : p.after.blocked) {
    if (one.root.empty()) one.fix = FixHere(p, one);
  }
  p.after.ShareFixes();
  Findings out;
  for (const pending::Blocked& one : p.after.blocked) {
    Finding& finding = out.emplace_back(
        p.At(one.file_name,
             one.name.empty() ? one.why : fmt::format("{} cannot be folded: {}", one.name, one.why),
             one.fix));
    finding.line = one.line;
    finding.revision = one.name;
    // Only warn if the target has the same problem, because this change did not cause it.
    const pending::Blocked* old = BlockedOnTarget(p, one);
    if (old != nullptr && old->why == one.why) finding.severity = Severity::Warning;
  }
  return out;
}

/// Reports pending files that both sides wrote, and pending files that reappeared after their fold.
Findings CheckFileNames(const PendingFacts& p) {
  Findings out;
  for (const std::string& name : p.facts.merged->clashes)
    out.push_back(p.At(
        name,
        fmt::format("this change and {} both add a pending file with this name",
                    p.request().target.label),
        fmt::format("git mv {} {}, and rename it in your code and goldens",
                    base::ShellPath(p.facts.PendingPath(name)),
                    base::ShellPath(p.facts.PendingPath(pending::NameOfFile(name) + "_2.yaml")))));
  for (const std::string& name : p.after.returned) {
    out.push_back(p.At(name + ".yaml",
                       name + " is already in the list, but its pending file has reappeared",
                       findings::Fix::Mechanical()));
    out.back().severity = Severity::Note;
  }
  return out;
}

/// Checks a switch back to `numbers: at-reserve`. Nothing may be pending, so the switch must be a
/// separate change after a fold.
Findings CheckWayBack(const PendingFacts& p) {
  Findings out;
  const std::string fold =
      fmt::format("git switch {} && revctl fold --push", base::ShellWord(p.facts.policy().target));
  for (const PendingText& file : p.facts.merged->pending)
    out.push_back(p.At(
        file.file_name,
        fmt::format("this change switches to `numbers: at-reserve`, but {} has no number yet",
                    file.file_name),
        p.on_target.contains(file.file_name) ? findings::Fix(fold) : findings::Fix::Mechanical()));
  return out;
}

/// Reports this change's pending files that are still in the old folder after the target moved the
/// list.
Findings CheckMoved(const PendingFacts& p) {
  Findings out;
  for (const PendingText& file : p.facts.ours.pending) {
    if (p.on_target.contains(file.file_name)) continue;
    out.push_back(
        p.At(file.file_name,
             fmt::format("{} moved the list to {}{}, but this pending file is in the old folder",
                         p.request().target.Text(), p.request().prefix(), p.facts.target.path()),
             "revctl land, or git merge " + base::ShellWord(p.request().target.label)));
  }
  return out;
}

/// True if the target, not this change, has moved the list.
bool MovedOnTarget(const PendingFacts& p) {
  return p.FolderMoved() && p.facts.base.path() == p.facts.config.path;
}

}  // namespace

Result<Findings> CheckPendingFolder(const ListFacts& facts) {
  const GateRequest& request = facts.request();
  const std::string folder = request.prefix() + pending::Folder(facts.config);
  Findings out;
  if (facts.problems.folder_error)
    out.push_back({.rule = RuleId::PendingFile,
                   .message = ErrorText(*facts.problems.folder_error),
                   .file = folder,
                   .fix = facts.problems.folder_error->fix});
  if (!facts.problems.file_without_landing.empty()) {
    const findings::Fix fix =
        facts.turns_to_landing
            ? findings::Fix("land the change to `numbers` first, as a separate change")
            : findings::Fix::Mechanical();
    out.push_back(
        {.rule = RuleId::PendingFile,
         .message = fmt::format("{} is a pending file, but {} does not have `numbers: at-landing`",
                                facts.problems.file_without_landing, request.target.label),
         .file = folder + "/" + facts.problems.file_without_landing,
         .fix = fix});
  }
  return out;
}

Result<Findings> CheckPendingFiles(const ListFacts& facts) {
  if (facts.IsRelease()) return Findings{};
  if (!facts.AtLanding()) {
    if (!facts.turns_to_landing) return Findings{};
    Findings out = CheckBlock(facts, facts.alone);
    TRY(Append(out, CheckInclude(facts)));
    return out;
  }
  PendingFacts p(facts);
  const GateRequest& request = facts.request();
  if (request.Is(Mode::Intermediate)) return CheckFrozen(p);
  if (request.tree.IsWorkTree())
    TRY(FixUntracked(&request.repository(), request.prefix(), facts.config, p.after));
  TRY(Findings out, CheckAdded(p));
  TRY(Append(out, CheckFrozen(p)));
  TRY(Append(out, CheckBlocked(p)));
  TRY(Append(out, CheckFileNames(p)));
  TRY(Append(out, !facts.stays_at_landing ? CheckWayBack(p)
                  : MovedOnTarget(p)      ? CheckMoved(p)
                                          : CheckBlock(facts, p.merged())));
  TRY(Append(out, CheckInclude(facts)));
  return out;
}

namespace {

/// Returns the command that folds the files on the release with the same result as on the target.
Result<std::string> FoldForRelease(const ListFacts& facts, const git::Oid& cut,
                                   const std::set<std::string>& here) {
  const GateRequest& request = facts.request();
  const std::string folder = request.prefix() + pending::Folder(facts.config) + "/";
  std::vector<std::string> paths;
  for (const std::string& name : here) paths.push_back(folder + name);
  TRY(const auto fold,
      git::LastCommitDeleting(request.repository(), facts.change.main_tip(), cut, paths));
  if (!fold) {
    // On a server, the target's label lacks the name of the remote, so add it.
    const std::string& target = facts.policy().target;
    const std::string main = request.release_of->label == target
                                 ? facts.policy().remote + "/" + target
                                 : request.release_of->label;
    return fmt::format("revctl fold --push --at {} && git cherry-pick {}", cut.substr(0, 10),
                       base::ShellWord(main));
  }
  TRY(const auto deleted, git::FilesDeletedBy(request.repository(), *fold, folder));
  std::set<std::string> folded;
  for (const std::string& path : deleted)
    folded.insert(path.substr(std::min(folder.size(), path.size())));
  TRY(const auto commit, request.repository().ReadCommit(*fold));
  const bool merge = commit.parents.size() > 1;
  // If the target's fold also contains other revisions, the release needs them as well, so merge
  // the fold.
  return (folded != here ? "git merge "
          : merge        ? "git cherry-pick -m 1 "
                         : "git cherry-pick ") +
         fold->substr(0, 10);
}

}  // namespace

Result<Findings> CheckPendingOnRelease(const ListFacts& facts) {
  Findings out;
  const GateRequest& request = facts.request();
  const auto& files = facts.ours.pending;
  if (!facts.IsRelease() || files.empty() || !request.release_of->tip) return out;
  TRY(const auto head, request.tree.Head());
  std::optional<git::Oid> cut;
  if (head) {
    TRY(cut, request.repository().MergeBase(*head, facts.change.main_tip()));
  }
  std::vector<PendingText> there;
  if (cut) {
    TRY(there, request.tree.At(*cut).Pending(facts.config));
  }
  std::set<std::string> here, own;
  for (const PendingText& file : files) {
    const bool landed = std::any_of(there.begin(), there.end(), [&](const PendingText& other) {
      return other.file_name == file.file_name;
    });
    (landed ? here : own).insert(file.file_name);
  }
  const auto add = [&](const std::set<std::string>& names, const std::string& why,
                       std::string fix) {
    const std::string name = pending::NameOfFile(*names.begin());
    const bool one = names.size() == 1;
    out.push_back(facts.At(
        RuleId::ReleaseNotPrefix, 0, name,
        fmt::format("a release cannot have pending revisions, but this one has {} ({}{}): {}",
                    names.size(), name.empty() ? *names.begin() : name, one ? "" : ", ...", why),
        std::move(fix)));
  };
  if (!here.empty()) {
    TRY(std::string fix, FoldForRelease(facts, *cut, here));
    add(here, "they have no numbers yet", std::move(fix));
  }
  if (own.empty()) return out;
  std::string remove = "git rm -f";
  for (const std::string& name : own) remove += " " + base::ShellPath(facts.PendingPath(name));
  add(own, request.release_of->label + " does not have them, and a release cannot add revisions",
      remove);
  return out;
}

}  // namespace revctl::commands
