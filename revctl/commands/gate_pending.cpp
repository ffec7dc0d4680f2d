#include "revctl/commands/gate_pending.h"

#include <algorithm>
#include <map>
#include <set>

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
        after_(pending::MakePlan(merged, gate.config(), files)) {
    for (const PendingText& file : gate.sides().pending.target) there_[file.file_name] = &file;
    for (const PendingText& file : files) here_[file.file_name] = &file;
  }

  Result<Done> Run() {
    if (request_.side.IsWorkTree())
      TRY(MendUntracked(*request_.repository, request_.prefix, gate_.config(), after_));
    JudgeAdded();
    TRY(JudgeFrozen());
    JudgeBlocked();
    for (const std::string& name : clashes_)
      Add("RV029", Severity::Error, name, 0, pending::NameOfFile(name),
          "this change and " + request_.target_label + " both have a pending file of this name",
          "git mv " + base::ShellPath(PathOf(name)) +
              " to another name, and rename it in your code and goldens");
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

  /// The target has moved the list since this change began.
  bool MovedThere() const {
    return PathThere("") != PathOf("") && gate_.sides().base_path == gate_.config().path;
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

  /// Each added entry had its file on the target, in the order of the plan, with the next numbers;
  /// its file is gone.
  void JudgeAdded() {
    if (gate_.landed() == nullptr || !request_.target) return;
    std::vector<const list::Entry*> added;
    for (const list::Entry* entry : merged_.Revisions()) {
      if (gate_.landed()->Find(entry->name) == nullptr &&
          !gate_.config().purged.contains(entry->name))
        added.push_back(entry);
    }
    if (added.empty()) return;
    std::set<std::string> names;
    for (const list::Entry* entry : added) names.insert(entry->name);
    std::vector<const pending::Numbered*> wanted;
    for (const pending::Numbered& one : before_.order) {
      if (names.contains(one.name)) wanted.push_back(&one);
    }
    const std::int64_t first = before_.order.empty() ? 0 : before_.order.front().number;
    std::size_t at = 0;
    for (const list::Entry* entry : added) {
      const pending::Numbered* planned = before_.Find(entry->name);
      if (planned == nullptr) {
        const pending::Blocked* blocked = before_.FindBlocked(entry->name);
        AddFold(
            *entry,
            entry->name + " (" + std::to_string(entry->number) +
                ") was written into the list by hand" +
                (blocked != nullptr ? ": its pending file cannot be folded, since " + blocked->why
                                    : ": " + request_.TargetText() + " has no pending file of it"),
            blocked != nullptr ? "mend the pending file first"
                               : "git merge " + base::ShellWord(request_.target_label) +
                                     ", then revctl sync --adopt makes it a pending file");
        continue;
      }
      const std::int64_t number = first + static_cast<std::int64_t>(at);
      const pending::Numbered* expected = at < wanted.size() ? wanted[at] : nullptr;
      ++at;
      if (expected != nullptr && expected->name != entry->name) {
        AddFold(*entry,
                entry->name + " stands where " + expected->name +
                    " comes: pending revisions are folded by `after`, then by name",
                "git checkout " + request_.TargetForGit() +
                    " -- the list and its pending files, "
                    "then revctl fold");
        return;  // those behind it follow from it
      }
      if (entry->number != number)
        AddFold(*entry,
                entry->name + " is " + std::to_string(entry->number) + ", and a fold gives it " +
                    std::to_string(number),
                "revctl fold on the target");
      for (const std::string& before : planned->after) {
        if (names.contains(before) || before_.Find(before) == nullptr) continue;
        AddFold(*entry, entry->name + " is folded without " + before + ", which it comes after",
                "fold both: revctl fold");
      }
      if (here_.contains(entry->name + ".yaml"))
        AddFold(*entry, entry->name + " is folded, and its pending file is still there",
                "git rm " + base::ShellPath(PathOf(entry->name + ".yaml")));
    }
  }

  void AddFold(const list::Entry& entry, std::string message, std::string fix) {
    gate_.Add("RV030", std::move(message), entry.line, entry.name, std::move(fix));
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
      if (now == here_.end() && PathThere("") != PathOf("")) {
        // The list is moved, and its file was left behind: gate_stray_pending.cpp says that.
        TRY(const bool left, request_.side.Exists(PathThere(file_name)));
        if (left) continue;
      }
      Add("RV029", Severity::Error, file_name, 0, name,
          "the pending file of " + name + ", which has landed on " + request_.target_label +
              ", is " + (now == here_.end() ? "removed" : "edited") + " by this change",
          "git checkout " + request_.TargetForGit() + " -- " +
              base::ShellPath(PathThere(file_name)) +
              (now == here_.end() ? "; a new revision takes its fields out again" : ""));
    }
    return Done{};
  }

  void JudgeBlocked() {
    for (const pending::Blocked& one : after_.blocked) {
      const pending::Blocked* old = nullptr;
      for (const pending::Blocked& candidate : before_.blocked) {
        if (candidate.file_name == one.file_name) old = &candidate;
      }
      // What was bad on the target already is not this change's fault.
      const bool ours = old == nullptr || old->why != one.why;
      Add("RV029", ours ? Severity::Error : Severity::Warning, one.file_name, one.line, one.name,
          (one.name.empty() ? "" : one.name + " cannot be folded: ") + one.why, one.fix);
    }
  }

  /// `numbers: at-reserve` again: by itself, between two landings.
  void JudgeWayBack() {
    for (const PendingText& file : files_)
      Add("RV029", Severity::Error, file.file_name, 0, pending::NameOfFile(file.file_name),
          "this change gives numbers at reserve again, and " + file.file_name + " has none yet",
          "revctl fold on the target first");
  }

  /// The include file is made by each clone from its own tree.
  Result<Done> JudgeInclude() {
    const std::string path = request_.prefix + pending::IncludePath(gate_.config());
    auto tracked = request_.side.IsWorkTree() ? request_.repository->ReadStaged(path)
                                              : request_.side.Read(path);
    if (!tracked.ok() && tracked.error().exit == base::Exit::Environment) return tracked.error();
    if (tracked.ok() && !*tracked) return Done{};
    gate_.AddAt(path, 0,
                {"RV029", Severity::Error,
                 "the include file of pending revisions is committed; it would be wrong on every "
                 "other tree",
                 "", 0, "",
                 "git rm --cached " + base::ShellPath(path) + ", and a line /" +
                     path.substr(path.rfind('/') + 1) + " in .gitignore beside it",
                 "", "", "", ""});
    return Done{};
  }

  ListGate& gate_;
  const GateRequest& request_;
  const list::RevisionList& merged_;
  const std::vector<PendingText>& files_;
  const std::vector<std::string>& clashes_;
  pending::Plan before_, after_;
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
