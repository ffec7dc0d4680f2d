#include "revctl/repair/repair_goldens.h"

#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "golden/merge.h"
#include "golden/stale_records.h"
#include "revctl/config/files.h"
#include "revctl/git/changes.h"
#include "revctl/repair/merge_context.h"
#include "revctl/tree/work_tree.h"

namespace revctl::commands {
namespace {

using golden::Kept;

struct Conflict {
  Stages stages;
  std::array<std::string, 3> texts;
  /// true if git moved a side's text to a different path, so that `git checkout` cannot write it
  /// here
  bool moved = false;
};
using Conflicts = std::map<std::string, Conflict>;  // by path relative to the repository's root

/// If git mistook a removed record and a similar new record for a rename, undoes that decision and
/// moves the other side's text to the new name.
void UndoRenames(Conflicts& conflicts, const std::string& folder) {
  Conflicts found;
  for (auto& [path, conflict] : conflicts) {
    const auto name = golden::ParseFileName(std::string_view(path).substr(folder.size()));
    if (!name || name->kind != golden::FileName::Kind::Record || name->IsAddition()) continue;
    for (std::size_t i = 0; i < conflict.stages.size(); ++i) {
      if (!conflict.stages[i]) continue;
      const auto types = golden::ReadRecordTypes(conflict.texts[i], "");
      if (!types || types->revision == name->revision || !golden::IsRevisionName(types->revision))
        continue;
      const std::string own = folder + golden::FileNameText({name->kind, types->revision, ""});
      Conflict& there = conflicts.contains(own) ? conflicts.at(own) : found[own];
      if (there.stages[i]) continue;
      there.stages[i] = std::exchange(conflict.stages[i], std::nullopt);
      there.texts[i] = std::exchange(conflict.texts[i], "");
      there.moved = conflict.moved = true;
    }
  }
  conflicts.merge(found);
}

Result<Kept> Choose(const Workspace& workspace, const std::string& path, const Conflict& conflict,
                    const list::RevisionList* here) {
  TRY(auto scene, GatherGoldenScene(workspace.root(), path));
  if (!scene || !scene->target_known) return Kept::Neither;
  const GoldenScene& golden = *scene;
  const Stages& stages = conflict.stages;
  if (stages[1] && stages[2]) {
    golden::Versions versions{conflict.texts[0], conflict.texts[1], conflict.texts[2],
                              std::nullopt};
    if (golden.landed) versions.landed = *golden.landed;
    return golden::Merge(golden.name, versions);
  }
  if (!stages[0] && (stages[1] || stages[2])) return stages[1] ? Kept::Ours : Kept::Theirs;
  // Never fall back to the base's version of an addition, because its payloads may belong to a
  // different revision.
  if (golden.name.IsAddition() || here == nullptr) return Kept::Neither;
  const bool wanted = here->Find(golden.name.revision) != nullptr;
  return wanted == stages[1].has_value() ? Kept::Ours : Kept::Theirs;
}

/// Maximum size of a work-tree golden that is read to print a diff.
constexpr std::size_t kMaxGolden = std::size_t{64} << 20;

Result<FileChange> ChangeOf(const git::Repository& repository, const std::string& path,
                            std::optional<std::string> after) {
  TRY(auto before, config::ReadFile(repository.root() + "/" + path, kMaxGolden));
  return FileChange{path, std::move(before), std::move(after)};
}

/// Writes the chosen side's version to the work tree, through git's filters if possible.
Result<Done> Take(const git::Repository& repository, const std::string& path,
                  const Conflict& conflict, Kept kept) {
  const std::size_t side = kept == Kept::Ours ? 1 : 2;
  const std::string file = repository.root() + "/" + path;
  if (!conflict.stages[side]) {
    std::error_code error;
    std::filesystem::remove(file, error);
    if (error) return Error{Exit::Environment, path + " cannot be removed: " + error.message(), ""};
    return Done{};
  }
  if (conflict.moved) return config::ReplaceFile(file, conflict.texts[side]);
  return git::CheckoutSide(repository, kept == Kept::Ours ? git::Side::Ours : git::Side::Theirs,
                           path);
}

/// Restores the payloads of a record that the merge kept. If one side removed the payloads and the
/// other side did not change them, git deletes them, even if the other side's record is kept. Takes
/// the payloads from a commit in `commits` that contains them together with this record.
Result<std::optional<FileChange>> PutPayloadsBack(const git::Repository& repository,
                                                  const std::set<git::Oid>& commits,
                                                  const std::string& folder,
                                                  const std::string& path,
                                                  const std::string& record, bool dry_run) {
  auto name = golden::ParseFileName(std::string_view(path).substr(folder.size() + 1));
  std::optional<FileChange> none;
  if (!name || name->kind != golden::FileName::Kind::Record || record.empty()) return none;
  name->kind = golden::FileName::Kind::Payloads;
  std::string payloads = folder + "/" + golden::FileNameText(*name);
  std::error_code error;
  if (std::filesystem::exists(repository.root() + "/" + payloads, error)) return none;
  for (const git::Oid& commit : commits) {
    const auto there = repository.ReadFile(commit, path),
               beside = repository.ReadFile(commit, payloads);
    if (!there.ok() || *there != record || !beside.ok() || !*beside) continue;
    if (!dry_run) TRY(config::ReplaceFile(repository.root() + "/" + payloads, **beside));
    return std::optional(FileChange{std::move(payloads), std::nullopt, std::move(**beside)});
  }
  return none;
}

}  // namespace

Result<RepairedGoldens> RepairGoldens(const Workspace& workspace, const list::ListConfig& list,
                                      const list::RevisionList* here, bool dry_run) {
  RepairedGoldens out;
  if (list.golden.empty()) return out;
  const git::Repository& repository = workspace.repository();
  const std::string folder = workspace.GitPath(list.golden);
  TRY(auto unmerged, IndexConflictsUnder(repository, folder));
  Conflicts conflicts;
  for (const auto& [path, stages] : unmerged) {
    TRY(auto texts, TextsOf(repository, stages));
    conflicts[path] = {stages, std::move(texts)};
  }
  UndoRenames(conflicts, folder + "/");
  const auto commits = conflicts.empty() ? std::set<git::Oid>() : CommitsOfMerge(repository);
  for (const auto& [path, conflict] : conflicts) {
    TRY(auto kept, Choose(workspace, path, conflict, here));
    if (kept == Kept::Neither) {
      out.left.push_back(path);
      continue;
    }
    const std::size_t side = kept == Kept::Ours ? 1 : 2;
    TRY(auto change,
        ChangeOf(repository, path,
                 conflict.stages[side] ? std::optional(conflict.texts[side]) : std::nullopt));
    out.repaired.push_back(std::move(change));
    if (!dry_run) TRY(Take(repository, path, conflict, kept));
    TRY(auto payloads,
        PutPayloadsBack(repository, commits, folder, path, conflict.texts[side], dry_run));
    if (payloads && !conflicts.contains(payloads->path))
      out.repaired.push_back(std::move(*payloads));
  }
  return out;
}

Result<std::vector<FileChange>> RestoreLandedGoldens(const Workspace& workspace,
                                                     const list::ListConfig& list,
                                                     const list::RevisionList& here, bool dry_run) {
  std::vector<FileChange> missing;
  const git::Repository& repository = workspace.repository();
  TRY(const auto releases, workspace.Releases());
  TRY(const auto head, repository.Head());
  if (list.golden.empty() || !releases.target || !head) return missing;
  // The merge base is unknown in a shallow clone, so nothing can be restored.
  const auto base = repository.MergeBase(*head, *releases.target);
  if (!base.ok() || !*base) return missing;
  TRY(const auto landed, workspace.At(**base).Parsed(list));
  const std::string folder = workspace.GitPath(list.golden);
  TRY(const auto files, repository.ListFiles(**base, folder));
  const auto is_gone = [&](const golden::FileName& name) {
    const std::string path = folder + "/" + golden::FileNameText(name);
    std::error_code error;
    return !std::filesystem::exists(repository.root() + "/" + path, error) && !error &&
           !repository.OutsideSparseCheckout(path);
  };
  for (const git::TreeFile& file : files) {
    const auto name = golden::ParseFileName(file.path);
    if (!name || name->kind == golden::FileName::Kind::Approval || !landed) continue;
    const list::Entry* entry = here.Find(name->revision);
    if (landed->Find(name->revision) == nullptr || entry == nullptr ||
        entry->kind != list::EntryKind::Revision)
      continue;
    // Restore an addition only together with its revision's record. If only the addition is
    // missing, someone may have removed it on purpose because it was broken.
    const bool wanted =
        !name->IsAddition() || is_gone({golden::FileName::Kind::Record, name->revision, ""});
    if (!wanted || !is_gone(*name)) continue;
    const std::string path = folder + "/" + file.path;
    TRY(auto text, repository.ReadFile(**base, path));
    missing.push_back({path, std::nullopt, std::move(text)});
  }
  if (missing.empty() || dry_run) return missing;
  std::vector<std::string> paths;
  for (const FileChange& one : missing) paths.push_back(one.path);
  TRY(git::CheckoutFiles(repository, **base, paths));
  return missing;
}

}  // namespace revctl::commands
