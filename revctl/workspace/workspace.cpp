#include "revctl/workspace/workspace.h"

#include <fmt/core.h>
#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/shell_word.h"
#include "revctl/findings/printable.h"
#include "revctl/git/settings.h"
#include "revctl/list/merging/conflict_markers.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {

Result<std::string> AbsoluteFolder(const std::string& directory) {
  std::error_code error;
  const auto path = std::filesystem::canonical(directory, error);
  if (error || !std::filesystem::is_directory(path, error)) {
    return Error{Exit::Environment, directory + ": no such folder", "revctl -C DIR"};
  }
  return path.generic_string();
}

std::optional<std::string> FindConfigFolder(const std::string& directory, const std::string& top) {
  std::filesystem::path at(directory);
  for (;;) {
    std::error_code error;
    if (std::filesystem::exists(at / config::kFileName, error)) return at.generic_string();
    if (at.generic_string() == top || at == at.root_path() || at.empty()) return std::nullopt;
    at = at.parent_path();
  }
}

Result<std::optional<config::Config>> ReadConfig(const std::string& folder) {
  const std::string path = folder + "/" + std::string(config::kFileName);
  auto text = config::ReadFile(path, config::kMaxConfigBytes);
  if (!text.ok()) {
    if (text.error().fix.empty())
      text.error().fix =
          "replace it with a regular file, or run git checkout -- " + base::ShellPath(path);
    return text.error();
  }
  if (!text->has_value()) return std::optional<config::Config>();
  TRY(auto parsed, config::ParseConfig(**text, config::kFileName));
  return std::optional<config::Config>(std::move(parsed));
}

Result<TeamRemote> ResolveRemote(const git::Repository& repository, const std::string& wanted,
                                 bool named) {
  TRY(auto own, repository.ConfigValue("revctl.remote"));
  TeamRemote out{own.value_or(wanted)};
  if (!config::IsSafeRef(out.name))
    return Error{Exit::Usage, "git config revctl.remote does not name a remote",
                 "git config revctl.remote origin"};
  TRY(auto url, repository.ConfigValue("remote." + out.name + ".url"));
  if (url.has_value()) return out;
  // A repository without remotes works locally. If it has remotes, but not the configured one,
  // fail, because silently using another remote could create a second ledger.
  TRY(const auto remotes, git::Remotes(repository));
  if (remotes.empty() && !own.has_value()) {
    if (!named) return TeamRemote{};
    out.missing = Error{
        Exit::Environment,
        fmt::format(
            "this clone has no remote {}, which holds the team's ledger (`remote` in .revctl.yaml)",
            out.name),
        fmt::format("git remote add {} URL; if there is no longer a server, remove `remote` from "
                    ".revctl.yaml",
                    base::ShellWord(out.name))};
    return out;
  }
  const std::string others = remotes.empty() ? "" : remotes.front();
  const std::string there = others.empty() ? "" : fmt::format(" (only {})", others);
  out.missing =
      Error{Exit::Environment, fmt::format("this clone has no remote {}{}", out.name, there),
            others.empty() ? "git config --unset revctl.remote"
                           : "git config revctl.remote " + base::ShellWord(others)};
  return out;
}

Result<Workspace> Workspace::Open(const std::string& directory) { return Open(directory, false); }

Result<Workspace> Workspace::OpenAnyway(const std::string& directory) {
  return Open(directory, true);
}

Result<Workspace> Workspace::Open(const std::string& around, bool without_config) {
  TRY(auto directory, AbsoluteFolder(around));
  Workspace out;
  TRY(out.repository_, git::OpenRepository(directory));
  if (out.repository_->bare()) {
    return Error{
        Exit::Environment,
        out.repository_->git_dir() + ": a bare repository has no work tree for this command",
        "run it in a clone, or create a work tree with git worktree add"};
  }
  const std::string top = base::ResolvedPath(out.repository_->root());
  auto folder = FindConfigFolder(directory, top);
  if (!folder && without_config) {
    folder = top;
  } else if (!folder) {
    return Error{Exit::Usage,
                 fmt::format("{}: no {} in this folder or above it", top, config::kFileName),
                 "revctl init"};
  }
  // Reject a link, because commands also write this file.
  TRY(config::RefuseLink(*folder + "/" + std::string(config::kFileName),
                         std::string(config::kFileName)));
  TRY(auto parsed, ReadConfig(*folder));
  if (!parsed.has_value() && !without_config)
    return Error{Exit::Usage, fmt::format("{}/{} cannot be read", *folder, config::kFileName),
                 "revctl init"};
  if (parsed.has_value()) out.config_ = std::move(*parsed);
  out.root_ = *folder;
  if (out.root_.size() > top.size() && out.root_.starts_with(top + "/"))
    out.prefix_ = out.root_.substr(top.size() + 1) + "/";
  TRY(out.remote_, ResolveRemote(*out.repository_, out.config_.remote, out.config_.remote_named));
  return out;
}

std::string Workspace::TargetLabel() const {
  return remote_.name.empty() ? config_.target : remote_.name + "/" + config_.target;
}

Result<ReleaseQuestion> Workspace::Releases() const {
  TRY(auto target, repository_->Resolve(OpenLedger().TargetRef()));
  return Releases(std::move(target));
}

ReleaseQuestion Workspace::Releases(std::optional<git::Oid> target) const {
  return {repository_.get(), config_, remote_.name, prefix_, std::move(target)};
}

Result<Done> Workspace::RefuseOnRelease(const ReleaseQuestion& releases,
                                        const std::string& command) const {
  TRY(const auto release, FindReleaseHere(releases));
  if (!release) return Done{};
  return Error{
      Exit::Findings,
      fmt::format("this branch is for {}, and a release cannot add revisions", release->branch),
      fmt::format("git switch -c NAME {} && revctl {}, then land that revision and back-port it "
                  "with every revision before it; or fix the problem without a new revision",
                  base::ShellWord(TargetLabel()), command)};
}

Result<std::vector<const list::ListConfig*>> ListsNamed(const config::Config& config,
                                                        const std::string& wanted) {
  std::vector<const list::ListConfig*> out;
  std::string names;
  for (const auto& list : config.lists) {
    names += (names.empty() ? "" : ", ") + list.name;
    if (wanted.empty() || wanted == list.name || wanted == list.path) out.push_back(&list);
  }
  if (out.empty())
    return Error{Exit::Usage,
                 fmt::format("--list {}: .revctl.yaml has no such list (it has {})",
                             findings::OneLine(wanted), names),
                 "--list " + base::ShellWord(config.lists.front().name)};
  return out;
}

Result<std::vector<const list::ListConfig*>> Workspace::Lists(const std::string& wanted) const {
  return ListsNamed(config_, wanted);
}

Result<const list::ListConfig*> Workspace::OneList(const std::string& wanted) const {
  TRY(auto lists, Lists(wanted));
  if (lists.size() > 1) {
    std::string names;
    for (const auto* list : lists) names += (names.empty() ? "" : ", ") + list->name;
    return Error{Exit::Usage, "this repository has several lists: " + names,
                 "--list " + base::ShellWord(lists.front()->name)};
  }
  return lists.front();
}

Result<std::string> Workspace::ReadList(const list::ListConfig& list) const {
  if (const auto preview = previews_.find(list.path); preview != previews_.end())
    return preview->second;
  const std::string path = FilePath(list.path);
  TRY(config::RefuseOutside(root_, list.path, repository_->root()));
  std::error_code error;
  const std::string folder =
      std::filesystem::path(GitPath(list.path)).parent_path().generic_string();
  if (!std::filesystem::exists(path, error) &&
      repository_->OutsideSparseCheckout(GitPath(list.path))) {
    return Error{
        Exit::Usage, list.path + ": is outside this sparse checkout",
        "git sparse-checkout add " + base::ShellPath(folder.empty() ? "/" + list.path : folder)};
  }
  auto text = base::ReadFile(path, config::kMaxListBytes);
  if (!text.ok()) {
    Error problem = text.error();
    problem.file = list.path;  // report the path as spelled in .revctl.yaml
    if (problem.fix.empty())
      problem.fix = fmt::format(
          "set `path` of list `{}` in .revctl.yaml to the header with the enum", list.name);
    return problem;
  }
  if (!text->has_value())
    return Error{Exit::Usage,
                 fmt::format("{}: the file of list `{}` in .revctl.yaml does not exist", list.path,
                             list.name),
                 fmt::format("correct `path` in .revctl.yaml, or run git checkout -- {}",
                             base::ShellPath(list.path))};
  return std::move(**text);
}

Result<list::RevisionList> Workspace::ParseWorking(const list::ListConfig& list) const {
  TRY(auto here, ReadPending(*this, list));
  return pending::Folded(here.list, list, here.plan);
}

Result<list::RevisionList> Workspace::ParseListAlone(const list::ListConfig& list) const {
  TRY(auto text, ReadList(list));
  auto parsed = list::Parse(text, list, list.path);
  if (const int marker = parsed.ok() ? 0 : list::ConflictMarkerLine(text); marker != 0)
    return Error{Exit::Usage, fmt::format("{}:{}: unresolved conflict markers", list.path, marker),
                 "revctl fix"};
  // Suggest a fix for parse errors that come without one.
  if (!parsed.ok() && parsed.error().fix.empty())
    parsed.error().fix = "correct that line, or run git checkout -- " + base::ShellPath(list.path);
  return parsed;
}

Result<Done> Workspace::WriteList(const list::ListConfig& list, const std::string& text) const {
  return config::ReplaceFile(FilePath(list.path), text);
}

std::string Workspace::LockPath() const { return repository_->git_dir() + "/revctl.lock"; }

Result<base::FileLock> Workspace::LockLists(const base::Listener& listener) const {
  // The calling process may hold the lock, because fold runs a project command that may run `revctl
  // sync`.
  const char* held = std::getenv(kHeldLock);
  if (held != nullptr && held == LockPath()) return base::FileLock::OfCaller();
  return base::FileLock::Take(LockPath(), [&listener](const std::string& holder) {
    listener.Note(fmt::format("revctl: waiting for another revctl ({}) in this work tree", holder));
  });
}

ledger::Ledger Workspace::OpenLedger(const base::Listener& listener) const {
  return ledger::Ledger(
      *repository_,
      {remote_.name, remote_.missing, config_.ledger, config_.ledger_id, config_.target},
      listener.waiting);
}

bool Workspace::NeedsLedger() const {
  return config_.reservation_required &&
         std::any_of(config_.lists.begin(), config_.lists.end(), [](const list::ListConfig& one) {
           return one.numbers == list::Numbers::AtReserve;
         });
}

Result<ledger::Snapshot> Workspace::Fetched(const base::Listener& listener,
                                            bool may_be_missing) const {
  listener.Wait(Asked("for updates"));
  auto seen = OpenLedger().Refresh(may_be_missing);
  listener.Wait("");
  return ReportSkipped(std::move(seen), listener);
}

Result<ledger::Snapshot> Workspace::LastSeen(const base::Listener& listener) const {
  if (remote_.missing)
    listener.Note(fmt::format("revctl: {}; using the last fetch\nfix: {}", remote_.missing->message,
                              remote_.missing->fix));
  return ReportSkipped(OpenLedger().Cached(), listener);
}

Result<ledger::Snapshot> Workspace::ReportSkipped(Result<ledger::Snapshot> seen,
                                                  const base::Listener& listener) {
  if (seen.ok() && !seen->moved.empty()) listener.Note("revctl: " + seen->moved);
  if (seen.ok() && !seen->skipped.empty())
    listener.Note(fmt::format("revctl: {}\nfix: revctl doctor --repair-ledger",
                              findings::Printable(seen->skipped)));
  return seen;
}

}  // namespace revctl::commands
