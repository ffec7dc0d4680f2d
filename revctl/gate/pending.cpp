#include "revctl/gate/pending.h"

#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;
using findings::Severity;
using pending::PendingText;

/// Returns the revisions of the list that the target's list lacks.
std::vector<const list::Entry*> AddedEntries(const ListGate& gate,
                                             const list::RevisionList& merged) {
  std::vector<const list::Entry*> out;
  if (gate.landed() == nullptr || !gate.request().target) return out;
  for (const list::Entry* entry : merged.Revisions()) {
    if (gate.landed()->Find(entry->name) == nullptr && !gate.config().purged.contains(entry->name))
      out.push_back(entry);
  }
  return out;
}

/// Removes the files of added entries, which have their own findings.
std::vector<PendingText> WithoutAdded(std::vector<PendingText> files,
                                      const std::vector<const list::Entry*>& added) {
  std::set<std::string> names;
  for (const list::Entry* entry : added) names.insert(entry->name + ".yaml");
  std::erase_if(files, [&](const PendingText& file) { return names.contains(file.file_name); });
  return files;
}

/// Reports an include file that is in git, because each clone generates its own.
Result<Done> CheckInclude(ListGate& gate) {
  const GateRequest& request = gate.request();
  const std::string path = request.prefix + pending::IncludePath(gate.config());
  auto tracked =
      request.side.IsWorkTree() ? request.repository->ReadStaged(path) : request.side.Read(path);
  if (!tracked.ok() && tracked.error().exit == base::Exit::Environment) return tracked.error();
  if (tracked.ok() && !*tracked) return Done{};
  gate.AddAt(path, 0,
             {RuleId::PendingFile, Severity::Error,
              "the include file of pending revisions is committed; it would be wrong on every "
              "other tree",
              "", 0, "",
              fmt::format("git rm -f --cached {} && revctl convert-numbers at-landing",
                          base::ShellPath(path))});
  return Done{};
}

void AddBlockFault(ListGate& gate, const list::RevisionList& list,
                   const pending::BlockFault& fault) {
  gate.Add(RuleId::PendingFile,
           fault.why + (fault.line == 0 ? "" : "; wanted: once, behind the last revision"),
           list.text == gate.sides().ours ? fault.line : 0, "",
           "revctl convert-numbers at-landing");
}

class PendingCheck {
 public:
  PendingCheck(ListGate& gate, const list::RevisionList& merged,
               const std::vector<PendingText>& files, const std::vector<std::string>& clashes)
      : gate_(gate),
        request_(gate.request()),
        merged_(merged),
        files_(files),
        clashes_(clashes),
        before_(gate.landed() == nullptr ? pending::Plan{}
                                         : pending::MakePlan(*gate.landed(), gate.config(),
                                                             gate.sides().pending.target)),
        added_(AddedEntries(gate, merged)),
        after_(pending::MakePlan(merged, gate.config(), WithoutAdded(files, added_))) {
    for (const PendingText& file : gate.sides().pending.target) there_[file.file_name] = &file;
    for (const PendingText& file : files) here_[file.file_name] = &file;
  }

  Result<Done> Run() {
    if (request_.on_the_way) return CheckFrozen();
    if (request_.side.IsWorkTree())
      TRY(MendUntracked(*request_.repository, request_.prefix, gate_.config(), after_));
    TRY(CheckAdded());
    TRY(CheckFrozen());
    CheckBlocked();
    for (const std::string& name : clashes_)
      Add(RuleId::PendingFile, Severity::Error, name, 0, pending::NameOfFile(name),
          fmt::format("this change and {} both have a pending file of this name",
                      request_.target_label),
          fmt::format("git mv {} {}, and rename it in your code and goldens",
                      base::ShellPath(PathOf(name)),
                      base::ShellPath(PathOf(pending::NameOfFile(name) + "_2.yaml"))));
    for (const std::string& name : after_.returned)
      Add(RuleId::PendingFile, Severity::Note, name + ".yaml", 0, name,
          name + " is in the list already, and its pending file came back",
          "revctl sync removes it; so does the next fold");
    if (!gate_.sides().pending.stays) CheckWayBack();
    else if (MovedThere()) CheckMoved();
    else if (const auto fault = pending::FaultOfBlock(merged_, gate_.config()))
      AddBlockFault(gate_, merged_, *fault);
    return CheckInclude(gate_);
  }

 private:
  std::string PathOf(const std::string& file_name) const {
    return request_.prefix + pending::Folder(gate_.config()) + "/" + file_name;
  }

  /// Returns a path in the pending folder next to the target's list.
  std::string PathThere(const std::string& file_name) const {
    list::ListConfig there = gate_.config();
    if (!gate_.sides().target_path.empty()) there.path = gate_.sides().target_path;
    return request_.prefix + pending::Folder(there) + "/" + file_name;
  }

  bool FolderMoved() const { return PathThere("") != PathOf(""); }

  /// True if the target moved the list after this change began.
  bool MovedThere() const {
    return FolderMoved() && gate_.sides().base_path == gate_.config().path;
  }

  /// Reports this change's pending files that a move of the list leaves behind.
  void CheckMoved() {
    for (const PendingText& file : gate_.sides().pending.ours) {
      if (there_.contains(file.file_name)) continue;
      Add(RuleId::PendingFile, Severity::Error, file.file_name, 0,
          pending::NameOfFile(file.file_name),
          fmt::format("{} has moved the list to {}{}, and this pending file stands where it was",
                      request_.TargetText(), request_.prefix, gate_.sides().target_path),
          "revctl land, or git merge " + base::ShellWord(request_.target_label));
    }
  }

  void Add(RuleId rule, Severity severity, const std::string& file_name, int line,
           std::string revision, std::string message, std::string fix) {
    gate_.AddAt(PathOf(file_name), line,
                {rule, severity, std::move(message), "", 0, std::move(revision), std::move(fix)});
  }

  /// Checks that the added entries are a fold: each had a pending file on the target, which is gone
  /// now, and they have the planned order, the next numbers and the comment that a fold writes.
  Result<Done> CheckAdded() {
    if (added_.empty()) return Done{};
    std::map<std::string, std::string> others;
    for (const pending::Numbered& one : before_.order) others.emplace(one.name, "it stays pending");
    std::set<std::string> names;
    for (const list::Entry* entry : added_) {
      names.insert(entry->name);
      others.erase(entry->name);
    }
    TRY(const auto folded,
        pending::Folded(*gate_.landed(), gate_.config(),
                        pending::MakePlan(*gate_.landed(), gate_.config(),
                                          gate_.sides().pending.target, others)));
    std::vector<const pending::Numbered*> wanted;
    for (const pending::Numbered& one : before_.order) {
      if (names.contains(one.name)) wanted.push_back(&one);
    }
    const std::int64_t first = before_.order.empty() ? 0 : before_.order.front().number;
    std::size_t at = 0;
    for (const list::Entry* entry : added_) {
      const pending::Numbered* planned = before_.Find(entry->name);
      if (planned == nullptr) {
        const pending::Blocked* blocked = before_.FindBlocked(entry->name);
        const std::string why = blocked != nullptr
                                    ? "its pending file cannot be folded, since " + blocked->why
                                    : request_.TargetText() + " has no pending file of it";
        AddFold(*entry, "{} ({}) was written into the list by hand: {}", entry->name, entry->number,
                why);
        continue;
      }
      const std::int64_t number = first + static_cast<std::int64_t>(at);
      const pending::Numbered* expected = at < wanted.size() ? wanted[at] : nullptr;
      ++at;
      if (expected != nullptr && expected->name != entry->name) {
        AddFold(*entry,
                "{} stands where {} comes: pending revisions are folded by `after`, then by name",
                entry->name, expected->name);
        break;  // later ones follow from this one and share its fix
      }
      std::string without;
      for (const std::string& before : planned->after) {
        if (!names.contains(before) && before_.Find(before) != nullptr) without = before;
      }
      const list::Entry* made = folded.Find(entry->name);
      if (entry->number != number)
        AddFold(*entry, "{} is {}, and a fold gives it {}", entry->name, entry->number, number);
      else if (!without.empty())
        AddFold(*entry, "{} is folded without {}, which it comes after", entry->name, without);
      else if (here_.contains(entry->name + ".yaml"))
        AddFold(*entry, "{} is folded, and its pending file is still there", entry->name);
      else if (made != nullptr && entry->comment != made->comment)
        AddFold(*entry,
                "{} has another comment than a fold gives it; the comment is how a file that comes "
                "back is known",
                entry->name);
    }
    return Done{};
  }

  /// Adds a finding whose fix restores the pending files as the target has them.
  template <class... Parts>
  void AddFold(const list::Entry& entry, fmt::format_string<Parts&...> text, Parts&... parts) {
    const std::string merge =
        fmt::format("git merge {} && ", base::ShellWord(request_.target_label));
    gate_.Add(RuleId::WrongFold, fmt::format(text, parts...), entry.line, entry.name,
              (gate_.sides().pending.stays ? "" : merge) + "revctl sync --adopt");
  }

  /// Checks that files pending on the target do not change before they are folded.
  Result<Done> CheckFrozen() {
    if (!request_.target) return Done{};
    for (const auto& [file_name, file] : there_) {
      const std::string name = pending::NameOfFile(file_name);
      const auto now = here_.find(file_name);
      if (now != here_.end() && *now->second == *file) continue;
      // Folded by this change or earlier, or invalid and fixed now.
      const list::Entry* entry = now == here_.end() ? merged_.Find(name) : nullptr;
      const bool folded = entry != nullptr && entry->kind == list::EntryKind::Revision;
      if (folded || before_.Find(name) == nullptr) continue;
      if (now == here_.end() && FolderMoved()) {
        // The list moved and this file did not; stray_pending.cpp reports it.
        TRY(const bool left, request_.side.Exists(PathThere(file_name)));
        if (left) continue;
      }
      Add(RuleId::PendingFile, Severity::Error, file_name, 0, name,
          fmt::format(
              "the pending file of {}, which has landed on {}, is {}", name, request_.target_label,
              now == here_.end() ? "removed by this change; a new revision takes its fields out"
                                 : "edited by this change"),
          fmt::format("git checkout {} -- {}", request_.TargetForGit(),
                      base::ShellPath(PathThere(file_name))));
    }
    return Done{};
  }

  void CheckBlocked() {
    for (pending::Blocked& one : after_.blocked) {
      if (one.root.empty()) one.fix = FixHere(one);
    }
    after_.ShareFixes();
    for (const pending::Blocked& one : after_.blocked) {
      const pending::Blocked* old = BlockedThere(one);
      // Not the fault of this change if the target has the same problem.
      const bool ours = old == nullptr || old->why != one.why;
      Add(RuleId::PendingFile, ours ? Severity::Error : Severity::Warning, one.file_name, one.line,
          one.name,
          one.name.empty() ? one.why : fmt::format("{} cannot be folded: {}", one.name, one.why),
          one.fix);
    }
  }

  const pending::Blocked* BlockedThere(const pending::Blocked& one) const {
    for (const pending::Blocked& candidate : before_.blocked) {
      if (candidate.file_name == one.file_name) return &candidate;
    }
    return nullptr;
  }

  /// Returns a fix that edits one of this change's own files, because landed files must not change.
  std::string FixHere(const pending::Blocked& one) const {
    for (std::size_t i = 0; i < one.circle.size(); ++i) {
      if (before_.Find(one.circle[i]) == nullptr)
        return pending::NotAfterCommand(one.circle[i], one.circle[(i + 1) % one.circle.size()]);
    }
    if (!one.taken || BlockedThere(one) != nullptr || !IsUnchanged(one.file_name)) return one.fix;
    for (const pending::Blocked& other : after_.blocked) {
      if (other.file_name != one.file_name && base::Lower(other.name) == base::Lower(one.name))
        return other.fix;
    }
    return fmt::format("git checkout {} -- {}", request_.TargetForGit(),
                       base::ShellPath(request_.prefix + gate_.config().path));
  }

  bool IsUnchanged(const std::string& file_name) const {
    const auto there = there_.find(file_name), here = here_.find(file_name);
    return there != there_.end() && here != here_.end() && *there->second == *here->second;
  }

  /// Checks a switch back to `numbers: at-reserve`, which must be a separate change after a fold.
  void CheckWayBack() {
    const std::string fold =
        fmt::format("git switch {} && revctl fold --push", base::ShellWord(gate_.policy().target));
    for (const PendingText& file : files_)
      Add(RuleId::PendingFile, Severity::Error, file.file_name, 0,
          pending::NameOfFile(file.file_name),
          fmt::format("this change gives numbers at reserve again, and {} has none yet",
                      file.file_name),
          there_.contains(file.file_name) ? fold : "revctl sync --adopt");
  }

  ListGate& gate_;
  const GateRequest& request_;
  const list::RevisionList& merged_;
  const std::vector<PendingText>& files_;
  const std::vector<std::string>& clashes_;
  pending::Plan before_;
  std::vector<const list::Entry*> added_;
  pending::Plan after_;
  std::map<std::string, const PendingText*> there_, here_;
};

}  // namespace

Result<Done> CheckPending(ListGate& gate, const list::RevisionList& merged,
                          const std::vector<PendingText>& files,
                          const std::vector<std::string>& clashes) {
  return PendingCheck(gate, merged, files, clashes).Run();
}

Result<Done> CheckTurnToLanding(ListGate& gate, const list::RevisionList& list) {
  if (const auto fault = pending::FaultOfBlock(list, gate.config()))
    AddBlockFault(gate, list, *fault);
  return CheckInclude(gate);
}

namespace {

/// Returns the command that folds the files on a release in the same way as on the target.
Result<std::string> FoldForRelease(const ListGate& gate, const git::Oid& cut,
                                   const std::set<std::string>& here) {
  const GateRequest& request = gate.request();
  const std::string folder = request.prefix + pending::Folder(gate.config()) + "/";
  std::vector<std::string> command = {"log",
                                      "-1",
                                      "--first-parent",
                                      "-m",
                                      "--diff-filter=D",
                                      "--format=%H",
                                      "-s",
                                      cut + ".." + *request.main_tip,
                                      "--"};
  for (const std::string& name : here) command.push_back(folder + name);
  TRY(const auto found, request.repository->Git(std::move(command)));
  const std::string fold = found.ok() ? found.out.substr(0, found.out.find('\n')) : "";
  if (fold.empty()) {
    // On a server the branch has another name than in a clone.
    const std::string& target = gate.policy().target;
    const std::string main =
        request.main_label == target ? gate.policy().remote + "/" + target : request.main_label;
    return fmt::format("revctl fold --push --at {} && git cherry-pick {}", cut.substr(0, 10),
                       base::ShellWord(main));
  }
  TRY(const auto listed,
      request.repository->Git({"diff-tree", "-r", "-z", "--no-commit-id", "--name-only",
                               "--diff-filter=D", fold + "^", fold, "--", folder}));
  std::set<std::string> folded;
  for (const std::string& path : git::SplitAtNul(listed.out))
    folded.insert(path.substr(std::min(folder.size(), path.size())));
  TRY(const auto parents,
      request.repository->Git({"rev-list", "--parents", "--max-count=1", fold}));
  const bool merge = std::count(parents.out.begin(), parents.out.end(), ' ') > 1;
  // The target folded other revisions before these, so the release needs those as well.
  return (folded != here ? "git merge "
          : merge        ? "git cherry-pick -m 1 "
                         : "git cherry-pick ") +
         fold.substr(0, 10);
}

}  // namespace

Result<Done> CheckPendingOnRelease(ListGate& gate) {
  const GateRequest& request = gate.request();
  const auto& files = gate.sides().pending.ours;
  if (files.empty() || !request.main_tip) return Done{};
  TRY(const auto head, request.side.Head());
  std::optional<git::Oid> cut;
  if (head) {
    TRY(cut, request.repository->MergeBase(*head, *request.main_tip));
  }
  std::vector<PendingText> there;
  if (cut) {
    TRY(there, PendingFilesAt(*request.repository, *cut, request.prefix, gate.config()));
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
    gate.Add(RuleId::ReleaseNotPrefix,
             fmt::format("a release has no pending revisions, and {} {} here ({}{}): {}",
                         names.size(), one ? "is" : "are", name.empty() ? *names.begin() : name,
                         one ? "" : ", ...", why),
             0, name, std::move(fix));
  };
  if (!here.empty()) {
    TRY(std::string fix, FoldForRelease(gate, *cut, here));
    add(here, "they have no numbers yet", std::move(fix));
  }
  if (own.empty()) return Done{};
  std::string remove = "git rm -f";
  for (const std::string& name : own)
    remove += " " + base::ShellPath(request.prefix + pending::Folder(gate.config()) + "/" + name);
  add(own, request.main_label + " does not have them, and a release takes no revision of its own",
      remove);
  return Done{};
}

}  // namespace revctl::commands
