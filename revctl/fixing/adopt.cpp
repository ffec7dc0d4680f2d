#include "revctl/fixing/adopt.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "revctl/goldens/stale_goldens.h"
#include "revctl/list/writing/edit.h"
#include "revctl/numbering/reserve_name.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Returns the text of each pending file at `commit`, by file name.
Result<std::map<std::string, std::string>> FilesAt(const Workspace& workspace,
                                                   const list::ListConfig& config,
                                                   const std::optional<git::Oid>& commit) {
  std::map<std::string, std::string> out;
  if (!commit) return out;
  TRY(auto files, workspace.At(*commit).Pending(config));
  for (pending::PendingText& file : files) {
    if (file.unreadable.empty()) out.emplace(file.file_name, std::move(file.text));
  }
  return out;
}

/// Restores pending files that are missing on this branch, although its merge base had them and the
/// target still has them.
Result<Done> RestoreFiles(ChangeSet& changes, const list::ListConfig& config,
                          const ledger::Snapshot& snapshot,
                          const std::map<std::string, std::string>& there,
                          std::vector<std::string>& done) {
  const Workspace& workspace = changes.workspace();
  TRY(const auto head, workspace.repository().Head());
  if (!head || !snapshot.target || there.empty()) return Done{};
  const auto base = workspace.repository().MergeBase(*head, *snapshot.target);
  // The merge base is unknown in a shallow clone, so nothing can be restored.
  if (!base.ok() || !*base) return Done{};
  TRY(const auto began, FilesAt(workspace, config, *base));
  TRY(const auto list, workspace.ParseListAlone(config));
  for (const auto& [file_name, text] : there) {
    const std::string name = pending::NameOfFile(file_name);
    const std::string path = pending::FilePath(config, name);
    std::error_code error;
    if (!began.contains(file_name) || list.Find(name) != nullptr ||
        std::filesystem::exists(workspace.FilePath(path), error) || error)
      continue;
    if (!changes.dry_run()) TRY(MakePendingFolder(workspace, config));
    TRY(changes.WriteFile(path, text));
    done.push_back(
        fmt::format("{}: restored, because it has landed on {}", path, workspace.TargetLabel()));
  }
  return Done{};
}

/// Converts the branch's own list entries to pending files. Writes all files before it edits the
/// list. If the run is killed in between, the next run only has to remove the entries.
Result<Done> EntriesToFiles(ChangeSet& changes, const list::ListConfig& config,
                            const ledger::Snapshot& snapshot,
                            const std::map<std::string, std::string>& there,
                            std::vector<std::string>& done) {
  const Workspace& workspace = changes.workspace();
  TRY(auto view, ReadListView(workspace, config, snapshot));
  // The target does not have the list yet, so this branch may keep its entries.
  if (!view.landed) return Done{};
  TRY(const auto list, workspace.ParseListAlone(config));
  const std::string& target = workspace.config().target;
  std::vector<std::string> names;
  std::string before;
  bool own = false;
  for (const list::Entry* entry : list.Revisions()) {
    if (view.numbering().HasLanded(entry->name) || view.numbering().WasPurged(entry->name))
      continue;
    const std::string path = pending::FilePath(config, entry->name);
    if (!changes.dry_run()) TRY(MakePendingFolder(workspace, config));
    if (const auto found = there.find(entry->name + ".yaml"); found != there.end()) {
      // The revision is pending on the target, and this branch contains its entry although no
      // `fold` added it, so restore its file.
      TRY(changes.WriteFile(path, found->second));
    } else {
      pending::PendingRevision revision{entry->comment, {}};
      for (char& c : revision.message) c = static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
      revision.message.resize(std::min(revision.message.size(), pending::kMaxMessage));
      if (!before.empty()) revision.after = {before};
      TRY(const auto text, PendingFileText(workspace, config, entry->name, revision));
      TRY(changes.WriteFile(path, text));
      before = entry->name;
      own = true;
    }
    names.push_back(entry->name);
    done.push_back(fmt::format("{}: moved to {}; a fold on {} will assign its number", entry->name,
                               path, target));
  }
  if (names.empty()) return Done{};
  if (own && !config.golden.empty())
    done.push_back(
        "record the goldens of these revisions again, because goldens contain numbers: " +
        RefreshCommand(workspace.config(), config.golden));
  TRY(auto text, list::Remove(list, config, names));
  return changes.WriteList(config, text);
}

Result<Done> RepairBlock(ChangeSet& changes, const list::ListConfig& config,
                         std::vector<std::string>& done) {
  TRY(const auto list, changes.workspace().ParseListAlone(config));
  if (!pending::FaultOfBlock(list, config)) return Done{};
  TRY(const auto text, pending::WithBlock(list, config));
  if (text == list.text) return Done{};
  TRY(changes.WriteList(config, text));
  done.push_back(config.path + ": now includes its pending revisions");
  return Done{};
}

}  // namespace

Result<Done> FixPendingFiles(ChangeSet& changes, const list::ListConfig& list,
                             const ledger::Snapshot& snapshot, std::vector<std::string>& done) {
  const Workspace& workspace = changes.workspace();
  TRY(const auto there, FilesAt(workspace, list, snapshot.target));
  TRY(EntriesToFiles(changes, list, snapshot, there, done));
  TRY(RestoreFiles(changes, list, snapshot, there, done));
  TRY(RepairBlock(changes, list, done));
  TRY(const auto here, ReadPending(workspace, list));
  for (const std::string& name : here.plan.returned) {
    const std::string path = pending::FilePath(list, name);
    TRY(changes.WriteFile(path, std::nullopt));
    done.push_back(fmt::format("{}: removed, because {} is already in the list", path, name));
  }
  // The include file is not in git, so a dry run does not show it.
  if (changes.dry_run()) return Done{};
  TRY(const bool stale, IncludeIsStale(workspace.root(), list));
  TRY(WriteInclude(workspace.root(), list));
  if (stale) done.push_back(pending::IncludePath(list) + ": regenerated");
  return Done{};
}

Result<Done> ReservePendingFiles(ChangeSet& changes, const list::ListConfig& list,
                                 std::vector<std::string>& done, const base::Listener& listener) {
  const Workspace& workspace = changes.workspace();
  list::ListConfig there = list;
  there.numbers = list::Numbers::AtLanding;
  TRY(const auto here, ReadPending(workspace, there));
  const auto remove = [&](const std::string& name) {
    return changes.WriteFile(pending::FilePath(list, name), std::nullopt);
  };
  for (const std::string& name : here.plan.returned) TRY(remove(name));
  for (const pending::Numbered& one : here.plan.order) {
    if (changes.dry_run()) {
      done.push_back(one.name + ": will reserve a number");
    } else {
      const ReserveRequest request{.name = one.name, .message = one.message};
      TRY(auto before, workspace.ReadList(list));
      TRY(const auto reserved, ReserveName(workspace, list, request, listener));
      TRY(auto after, workspace.ReadList(list));
      changes.Add({workspace.GitPath(list.path), std::move(before), std::move(after)});
      done.push_back(fmt::format("{} = {}", one.name, reserved.number));
    }
    TRY(remove(one.name));
  }
  return Done{};
}

}  // namespace revctl::commands
