// Checks that pending revisions have goldens. Goldens of landed revisions are checked in
// landed_goldens.cpp.
#include <set>

#include "golden/index.h"
#include "revctl/base/shell_word.h"
#include "revctl/gate/gate_rules.h"
#include "revctl/goldens/stale_goldens.h"

namespace revctl::commands {
namespace {

using findings::RuleId;

/// Returns `rm -f golden/SR_OLD.golden golden/SR_OLD.yaml, ` for goldens of revisions that neither
/// this change nor the target has; "" if there are none.
base::Result<std::string> RemoveStrays(const ListGate& gate, const std::string& folder) {
  const GateRequest& request = gate.request();
  TRY(const auto files, request.side.FilesIn(folder));
  std::string command;
  for (const std::string& file : files) {
    const auto name = golden::ParseFileName(file);
    const std::string path = folder + "/" + file;
    const auto has = [&](const list::RevisionList* list) {
      return list != nullptr && list->Find(name->revision) != nullptr;
    };
    if (!name || name->revision.empty() || has(&gate.ours()) || has(gate.there()) ||
        gate.config().purged.contains(name->revision))
      continue;
    TRY(const bool here, request.side.Exists(path));
    TRY(const auto ignored,
        request.side.IsCommit() ? std::optional<bool>(false) : request.repository->IsIgnored(path));
    if (here && !ignored.value_or(false)) command += " " + base::ShellPath(path);
  }
  return command.empty() ? command : fmt::format("rm -f{}, ", command);
}

/// Checks that each record fits its payloads, for pending revisions and for additions of this
/// change. Revisions pending on the target are skipped, because RV019 checks every edit of them.
base::Result<base::Done> CheckWhole(ListGate& gate, const std::string& folder) {
  const GateRequest& request = gate.request();
  std::set<std::string> own;
  for (const list::Entry* entry : gate.Pending()) {
    if (!gate.IsPendingThere(entry->name) || entry->pending_file.empty()) own.insert(entry->name);
  }
  TRY(auto broken, FindBroken(request.side, folder, own));
  const std::string& there = gate.sides().golden.target;
  TRY(const auto additions, AdditionsOn(request.side, folder));
  for (const golden::FileName& addition : additions) {
    if (own.contains(addition.revision) || gate.ours().Find(addition.revision) == nullptr) continue;
    if (request.target && !there.empty()) {
      const std::string path = request.prefix + there + "/" + golden::FileNameText(addition);
      TRY(const auto landed, request.repository->ReadFile(*request.target, path));
      if (landed) continue;
    }
    TRY(auto found, FindBroken(request.side, folder, addition));
    if (found) broken.emplace(addition.revision, std::move(*found));
  }
  for (const auto& [revision, found] : broken)
    gate.AddAt(found.file, 0,
               {RuleId::PendingGolden, findings::Severity::Error,
                fmt::format("the goldens of {} are broken: {}", revision, found.message), "", 0,
                revision, found.fix});
  return base::Done{};
}

/// Reports unreadable records below the tip of a push, where goldens may be missing or stale. At
/// the tip, RV028 does this.
base::Result<base::Done> CheckReadable(ListGate& gate, const std::string& folder) {
  for (const list::Entry* entry : gate.Pending()) {
    TRY(const auto record, ReadRecordHere(gate.request().side, folder, entry->name));
    if (record.problem.empty()) continue;
    gate.Add(RuleId::PendingGolden,
             fmt::format("the record of {} cannot be read: it {}", entry->name, record.problem),
             entry->line, entry->name, "")
        .cause = "unreadable record";
  }
  return base::Done{};
}

}  // namespace

base::Result<base::Done> CheckGoldens(ListGate& gate, std::vector<findings::Finding>& out) {
  const GateRequest& request = gate.request();
  auto judged = CheckLandedGoldens(gate, out);
  if (!judged.ok() || gate.config().golden.empty()) return judged;
  const std::string folder = request.prefix + gate.config().golden;
  if (request.scope != GateRequest::Scope::Landing) return base::Done{};
  TRY(CheckWhole(gate, folder));
  if (request.on_the_way) return CheckReadable(gate, folder);
  for (const list::Entry* entry : gate.Pending()) {
    const std::string file =
        folder + "/" + golden::FileNameText({golden::FileName::Kind::Record, entry->name, ""});
    TRY(auto here, request.side.Exists(file));
    if (here) continue;
    if (gate.IsPendingThere(entry->name)) {
      TRY(const auto there, request.repository->ReadFile(*request.target, file));
      if (there) continue;  // RV019 reports the removal
    }
    const std::string own = request.prefix + gate.sides().golden.ours;
    if (own != folder) {
      TRY(const bool before, request.side.Exists(own + file.substr(folder.size())));
      if (before) {
        gate.Add(RuleId::PendingGolden,
                 fmt::format("the goldens of {} are in {}, and {} has moved that folder to {}",
                             entry->name, own, request.target_label, folder),
                 entry->line, entry->name,
                 fmt::format("git merge {} (or pull --rebase), then revctl resolve",
                             base::ShellWord(request.target_label)));
        continue;
      }
    }
    std::optional<std::string> committed;
    if (!request.side.IsCommit()) {
      TRY(auto head, request.side.Head());
      TRY(auto text, head ? request.repository->ReadFile(*head, file)
                          : base::Result<std::optional<std::string>>(std::nullopt));
      committed = std::move(text);
    }
    if (committed) {
      // Goldens recorded again would come from today's code and prove nothing.
      gate.Add(RuleId::PendingGolden,
               fmt::format("the goldens of {} are gone, and HEAD has them: {}", entry->name, file),
               entry->line, entry->name,
               "git restore --source=HEAD --staged --worktree -- " +
                   base::ShellPath(fmt::format("{}/{}.*", folder, entry->name)))
          .cause = "gone goldens";
    } else {
      // Renaming a revision leaves its old goldens, and `record` does not run while they exist.
      TRY(const std::string remove, RemoveStrays(gate, folder));
      // Only a warning if the target has the same problem. A fold will leave the revision pending.
      const bool waits = gate.IsPendingThere(entry->name) && !entry->pending_file.empty();
      gate.Add(RuleId::PendingGolden,
               fmt::format("{} has no goldens ({}): files of this revision could break unnoticed",
                           entry->name, file),
               entry->line, entry->name,
               fmt::format("{}run your harness with `record`, and commit {}", remove,
                           base::ShellPath(remove.empty() ? file : folder)),
               waits ? findings::Severity::Warning : findings::Severity::Error)
          .cause = "no goldens";
    }
  }
  return base::Done{};
}

base::Result<base::Done> CheckStaleGoldens(ListGate& gate, std::vector<findings::Finding>& out) {
  const GateRequest& request = gate.request();
  if (gate.config().golden.empty() || gate.landed() == nullptr) return base::Done{};
  std::vector<std::string> pending;
  for (const list::Entry* entry : gate.Pending()) pending.push_back(entry->name);
  const std::string& there = gate.sides().golden.target;
  const std::string folder = request.prefix + gate.config().golden;
  auto stale = FindStaleGoldens(
      {request.repository, &request.side, request.target, request.target_label, folder,
       there.empty() ? folder : request.prefix + there, &gate.config().purged},
      gate.landed()->Revisions(), pending);
  if (!stale.ok()) return stale.error();
  // The goldens must be recorded by code that has both revisions.
  const auto& base = gate.sides().base_commit;
  const bool behind = base && request.target && *base != *request.target;
  const std::string first = behind ? fmt::format("git merge {} (or pull --rebase), then ",
                                                 base::ShellWord(request.target_label))
                                   : "";
  const std::string fix = first + RefreshCommand(gate.policy(), folder);
  for (StaleGolden& golden : *stale) {
    const list::Entry* entry = gate.ours().Find(golden.revision);
    const bool waits = entry != nullptr && !entry->pending_file.empty();
    // A fold regenerates goldens of revisions that wait for it, if their records are readable. For
    // a revision that this change folds, it is too late.
    const bool mended = waits && (golden.known || gate.IsPendingThere(golden.revision));
    out.push_back(
        {RuleId::StaleGolden, mended ? findings::Severity::Note : findings::Severity::Error,
         std::move(golden.message), std::move(golden.file), 0, golden.revision,
         waits || gate.config().numbers != list::Numbers::AtLanding
             ? fix
             : fmt::format("revctl fold on {}, which records them again", request.target_label)});
  }
  return base::Done{};
}

}  // namespace revctl::commands
