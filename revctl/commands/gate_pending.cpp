#include "revctl/commands/gate_pending.h"

#include <algorithm>
#include <map>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/base/shell_word.h"
#include "revctl/commands/pending_view.h"
#include "revctl/pending/block.h"
#include "revctl/pending/paths.h"

namespace revctl::commands {
namespace {

using base::Done;
using base::Result;
using findings::Finding;
using findings::Severity;
using pending::PendingText;

/// In the list here, and not in the target's.
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

/// An added entry has findings of its own; its file needs no more.
std::vector<PendingText> WithoutAdded(std::vector<PendingText> files,
                                      const std::vector<const list::Entry*>& added) {
  std::set<std::string> names;
  for (const list::Entry* entry : added) names.insert(entry->name + ".yaml");
  std::erase_if(files, [&](const PendingText& file) { return names.contains(file.file_name); });
  return files;
}

class PendingJudge {
 public:
  PendingJudge(ListGate& gate, const list::RevisionList& merged,
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
    if (request_.side.IsWorkTree())
      TRY(MendUntracked(*request_.repository, request_.prefix, gate_.config(), after_));
    TRY(JudgeAdded());
    TRY(JudgeFrozen());
    JudgeBlocked();
    for (const std::string& name : clashes_)
      Add("RV029", Severity::Error, name, 0, pending::NameOfFile(name),
          "this change and " + request_.target_label + " both have a pending file of this name",
          "git mv " + base::ShellPath(PathOf(name)) + " " +
              base::ShellPath(PathOf(pending::NameOfFile(name) + "_2.yaml")) +
              ", and rename it in your code and goldens");
    for (const std::string& name : after_.returned)
      Add("RV029", Severity::Note, name + ".yaml", 0, name,
          name + " is in the list already, and its pending file came back",
          "revctl sync removes it; so does the next fold");
    if (!gate_.sides().pending.stays) JudgeWayBack();
    else if (MovedThere()) JudgeMoved();
    else if (const auto fault = pending::FaultOfBlock(merged_, gate_.config()))
      gate_.Add("RV029",
                fault->why + (fault->line == 0 ? "" : "; wanted: once, behind the last revision"),
                merged_.text == gate_.sides().ours ? fault->line : 0, "",
                "revctl convert-numbers at-landing");
    return JudgeInclude();
  }

 private:
  std::string PathOf(const std::string& file_name) const {
    return request_.prefix + pending::Folder(gate_.config()) + "/" + file_name;
  }

  /// Beside the list as the target has it.
  std::string PathThere(const std::string& file_name) const {
    list::ListConfig there = gate_.config();
    if (!gate_.sides().target_path.empty()) there.path = gate_.sides().target_path;
    return request_.prefix + pending::Folder(there) + "/" + file_name;
  }

  /// By this change, or by the target.
  bool FolderMoved() const { return PathThere("") != PathOf(""); }

  /// The target has moved the list since this change began.
  bool MovedThere() const {
    return FolderMoved() && gate_.sides().base_path == gate_.config().path;
  }

  /// What is this change's own would stand beside no list.
  void JudgeMoved() {
    for (const PendingText& file : gate_.sides().pending.ours) {
      if (there_.contains(file.file_name)) continue;
      Add("RV029", Severity::Error, file.file_name, 0, pending::NameOfFile(file.file_name),
          request_.TargetText() + " has moved the list to " + request_.prefix +
              gate_.sides().target_path + ", and this pending file stands where it was",
          "revctl land, or git merge " + base::ShellWord(request_.target_label));
    }
  }

  void Add(std::string rule, Severity severity, const std::string& file_name, int line,
           std::string revision, std::string message, std::string fix) {
    gate_.AddAt(PathOf(file_name), line,
                {std::move(rule), severity, std::move(message), "", 0, std::move(revision),
                 std::move(fix), "", "", "", ""});
  }

  /// Each added entry had its file on the target, in the order of the plan, with the next numbers
  /// and the comment that a fold writes; its file is gone.
  Result<Done> JudgeAdded() {
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
        AddFold(*entry, entry->name + " (" + std::to_string(entry->number) +
                            ") was written into the list by hand" +
                            (blocked != nullptr
                                 ? ": its pending file cannot be folded, since " + blocked->why
                                 : ": " + request_.TargetText() + " has no pending file of it"));
        continue;
      }
      const std::int64_t number = first + static_cast<std::int64_t>(at);
      const pending::Numbered* expected = at < wanted.size() ? wanted[at] : nullptr;
      ++at;
      if (expected != nullptr && expected->name != entry->name) {
        AddFold(*entry, entry->name + " stands where " + expected->name +
                            " comes: pending revisions are folded by `after`, then by name");
        break;  // those behind it follow from it, and the mend is theirs
      }
      std::string without;
      for (const std::string& before : planned->after) {
        if (!names.contains(before) && before_.Find(before) != nullptr) without = before;
      }
      const list::Entry* made = folded.Find(entry->name);
      if (entry->number != number)
        AddFold(*entry, entry->name + " is " + std::to_string(entry->number) +
                            ", and a fold gives it " + std::to_string(number));
      else if (!without.empty())
        AddFold(*entry, entry->name + " is folded without " + without + ", which it comes after");
      else if (here_.contains(entry->name + ".yaml"))
        AddFold(*entry, entry->name + " is folded, and its pending file is still there");
      else if (made != nullptr && entry->comment != made->comment)
        AddFold(*entry, entry->name +
                            " has another comment than a fold gives it; the comment is how a file "
                            "that comes back is known");
    }
    return Done{};
  }

  /// One way out of all of them: what has not landed is pending again, as the target has it.
  void AddFold(const list::Entry& entry, std::string message) {
    const std::string adopt = "revctl sync --adopt";
    gate_.Add("RV030", std::move(message), entry.line, entry.name,
              gate_.sides().pending.stays
                  ? adopt
                  : "git merge " + base::ShellWord(request_.target_label) + " && " + adopt);
  }

  /// What is pending on the target has landed: it stays as it is until it is folded.
  Result<Done> JudgeFrozen() {
    if (!request_.target) return Done{};
    for (const auto& [file_name, file] : there_) {
      const std::string name = pending::NameOfFile(file_name);
      const auto now = here_.find(file_name);
      if (now != here_.end() && *now->second == *file) continue;
      // Folded by this change, or before it; or bad, and mended.
      const list::Entry* entry = now == here_.end() ? merged_.Find(name) : nullptr;
      const bool folded = entry != nullptr && entry->kind == list::EntryKind::Revision;
      if (folded || before_.Find(name) == nullptr) continue;
      if (now == here_.end() && FolderMoved()) {
        // The list is moved, and its file was left behind: gate_stray_pending.cpp says that.
        TRY(const bool left, request_.side.Exists(PathThere(file_name)));
        if (left) continue;
      }
      Add("RV029", Severity::Error, file_name, 0, name,
          "the pending file of " + name + ", which has landed on " + request_.target_label +
              ", is " +
              (now == here_.end() ? "removed by this change; a new revision takes its fields out"
                                  : "edited by this change"),
          "git checkout " + request_.TargetForGit() + " -- " +
              base::ShellPath(PathThere(file_name)));
    }
    return Done{};
  }

  void JudgeBlocked() {
    for (const pending::Blocked& one : after_.blocked) {
      const pending::Blocked* old = nullptr;
      for (const pending::Blocked& candidate : before_.blocked) {
        if (candidate.file_name == one.file_name) old = &candidate;
      }
      std::string fix = one.fix;
      if (old == nullptr && one.taken && IsUnchanged(one.file_name)) {
        // It has landed, and keeps its name: what this change brings goes.
        fix = "git checkout " + request_.TargetForGit() + " -- " +
              base::ShellPath(request_.prefix + gate_.config().path);
        for (const pending::Blocked& other : after_.blocked) {
          if (other.file_name != one.file_name && base::Lower(other.name) == base::Lower(one.name))
            fix = other.fix;
        }
      }
      // What was bad on the target already is not this change's fault.
      const bool ours = old == nullptr || old->why != one.why;
      Add("RV029", ours ? Severity::Error : Severity::Warning, one.file_name, one.line, one.name,
          (one.name.empty() ? "" : one.name + " cannot be folded: ") + one.why, fix);
    }
  }

  bool IsUnchanged(const std::string& file_name) const {
    const auto there = there_.find(file_name), here = here_.find(file_name);
    return there != there_.end() && here != here_.end() && *there->second == *here->second;
  }

  /// `numbers: at-reserve` again: by itself, between two landings.
  void JudgeWayBack() {
    for (const PendingText& file : files_)
      Add("RV029", Severity::Error, file.file_name, 0, pending::NameOfFile(file.file_name),
          "this change gives numbers at reserve again, and " + file.file_name + " has none yet",
          there_.contains(file.file_name)
              ? "git switch " + base::ShellWord(gate_.policy().target) + " && revctl fold --push"
              : "revctl sync --adopt");
  }

  /// The include file is made by each clone from its own tree.
  Result<Done> JudgeInclude() {
    const std::string path = request_.prefix + pending::IncludePath(gate_.config());
    auto tracked = request_.side.IsWorkTree() ? request_.repository->ReadStaged(path)
                                              : request_.side.Read(path);
    if (!tracked.ok() && tracked.error().exit == base::Exit::Environment) return tracked.error();
    if (tracked.ok() && !*tracked) return Done{};
    gate_.AddAt(
        path, 0,
        {"RV029", Severity::Error,
         "the include file of pending revisions is committed; it would be wrong on every "
         "other tree",
         "", 0, "",
         "git rm -f --cached " + base::ShellPath(path) + " && revctl convert-numbers at-landing",
         "", "", "", ""});
    return Done{};
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

Result<Done> JudgePending(ListGate& gate, const list::RevisionList& merged,
                          const std::vector<PendingText>& files,
                          const std::vector<std::string>& clashes) {
  return PendingJudge(gate, merged, files, clashes).Run();
}

void JudgePendingOnRelease(ListGate& gate) {
  const auto& files = gate.sides().pending.ours;
  if (files.empty()) return;
  const std::string name = pending::NameOfFile(files.front().file_name);
  gate.Add("RV018",
           "a release has no pending revisions, and " + std::to_string(files.size()) +
               (files.size() == 1 ? " is" : " are") + " here (" +
               (name.empty() ? files.front().file_name : name) +
               (files.size() == 1 ? ")" : ", ...)") + ": they have no numbers yet",
           0, name,
           "fold them on " + gate.request().main_label +
               " (revctl fold --at the commit it is cut at), then git cherry-pick that fold here");
}

}  // namespace revctl::commands
