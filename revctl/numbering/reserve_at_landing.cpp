#include "revctl/numbering/reserve_at_landing.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "revctl/base/shell_word.h"
#include "revctl/pending/block.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Returns the branch's own pending revisions that do not appear in the `after` list of any other
/// revision of the branch.
std::vector<std::string> OwnBefore(const pending::Plan& plan, const std::set<std::string>& there) {
  std::set<std::string> own, followed;
  for (const pending::Numbered& one : plan.order) {
    if (!there.contains(one.name)) own.insert(one.name);
  }
  for (const pending::Numbered& one : plan.order) {
    if (own.contains(one.name)) followed.insert(one.after.begin(), one.after.end());
  }
  std::vector<std::string> out;
  std::set_difference(own.begin(), own.end(), followed.begin(), followed.end(),
                      std::back_inserter(out));
  return out;
}

}  // namespace

Result<ReservedFile> ReserveAtLanding(const Workspace& workspace, const list::ListConfig& config,
                                      const ReserveFileRequest& request,
                                      const base::Listener& listener) {
  const std::string &name = request.name, &after = request.after;
  TRY(auto snapshot, workspace.LastSeen(listener));
  TRY(auto view, ReadListView(workspace, config, snapshot));
  TRY(auto here, ReadPending(workspace, config));
  if (const auto fault = pending::FaultOfBlock(here.list, config))
    return Error{Exit::Usage, config.path + ": " + fault->why, "revctl fix"};
  const Numbering numbering = view.numbering();
  const std::string path = workspace.GitPath(pending::FilePath(config, name));
  const std::string target = workspace.TargetLabel();
  const list::Entry* entry = here.list.Find(name);
  const auto taken = [&](const std::string& why) {
    return Error{Exit::Findings, fmt::format("{} {}", name, why), "choose another name"};
  };
  if (numbering.WasPurged(name))
    return taken("landed and was later purged; old code may still use the name");
  if (entry != nullptr)
    return taken(fmt::format("is already in the list ({}:{})", config.path, entry->line));
  if (numbering.HasLanded(name)) return taken("is already in the list of " + target);
  TRY(auto there, PendingThere(workspace, config, snapshot.target));
  if (const pending::Blocked* blocked = here.plan.FindBlocked(name))
    return Error{Exit::Findings, fmt::format("{}: already exists, but {}", path, blocked->why),
                 FixText(blocked->fix)};
  const pending::Numbered* present = here.plan.Find(name);
  if (present == nullptr && there.contains(name))
    return taken(fmt::format("is already pending on {}", target));
  pending::PendingRevision revision{request.comment, OwnBefore(here.plan, there)};
  if (present != nullptr) revision = {present->message, present->after};
  const bool joined = !after.empty() && std::find(revision.after.begin(), revision.after.end(),
                                                  after) == revision.after.end();
  if (joined && there.contains(name))
    return Error{Exit::Findings, fmt::format("{} has already landed on {}", name, target),
                 "add `after` to the other revision's file instead"};
  if (joined) revision.after.push_back(after);
  const bool changes = present == nullptr || joined;
  if (changes) {
    std::erase_if(here.files, [&](const auto& file) { return file.file_name == name + ".yaml"; });
    here.files.push_back({name + ".yaml", pending::FormatPendingFile(revision), ""});
    here.plan = pending::MakePlan(here.list, config, here.files);
  }
  if (const pending::Blocked* blocked = here.plan.FindBlocked(name))
    return blocked->taken ? Error{Exit::Findings, blocked->why, "choose another name"}
                          : Error{Exit::Usage, name + ": " + blocked->why, FixText(blocked->fix)};
  const std::int64_t number = here.plan.Find(name)->number;
  if (!request.dry_run) {
    if (changes) {
      const auto person = workspace.repository().Identity();
      TRY(WritePending(workspace, config, name, revision, person.ok() ? person->Text() : ""));
    }
    TRY(WriteInclude(workspace.root(), config));
  }
  return ReservedFile{number, path};
}

Result<bool> AbandonAtLanding(const Workspace& workspace, const list::ListConfig& config,
                              const std::string& name, const base::Listener& listener) {
  TRY(auto snapshot, workspace.LastSeen(listener));
  TRY(auto view, ReadListView(workspace, config, snapshot));
  TRY(auto there, PendingThere(workspace, config, snapshot.target));
  if (view.numbering().HasLanded(name) || there.contains(name))
    return Error{Exit::Findings, fmt::format("{} has landed on {}", name, workspace.TargetLabel()),
                 fmt::format("reserve a new revision that removes the fields: REM({}, {}..., ...)",
                             name, config.prefix)};
  TRY(auto here, ReadPending(workspace, config));
  const std::string path = pending::FilePath(config, name);
  std::error_code error;
  if (!config::IsIdentifier(name) || !std::filesystem::exists(workspace.FilePath(path), error))
    return false;
  const pending::Numbered* gone = here.plan.Find(name);
  for (const pending::Numbered& one : here.plan.order) {
    if (std::find(one.after.begin(), one.after.end(), name) == one.after.end()) continue;
    pending::PendingRevision revision{one.message, one.after};
    std::erase(revision.after, name);
    for (const std::string& before : gone->after) {
      if (std::find(revision.after.begin(), revision.after.end(), before) == revision.after.end())
        revision.after.push_back(before);
    }
    TRY(WritePending(workspace, config, one.name, revision));
  }
  if (!std::filesystem::remove(workspace.FilePath(path), error))
    return Error{Exit::Environment, path + ": cannot be removed",
                 "git rm " + base::ShellPath(path)};
  TRY(WriteInclude(workspace.root(), config));
  return true;
}

}  // namespace revctl::commands
