#include "revctl/setup/constant_history.h"

#include <set>

#include "revctl/git/history.h"
#include "revctl/git/index.h"

namespace revctl::commands {
namespace {

/// Limits that protect against a history that moves a constant back and forth, and against a file
/// that changes in every commit.
constexpr int kMostMoves = 16;
constexpr std::size_t kMostCommits = 20'000;

base::Result<std::optional<std::int64_t>> NumberAt(const git::Repository& repository,
                                                   const git::Oid& commit, const std::string& path,
                                                   const std::string& name) {
  TRY(const auto text, repository.ReadFile(commit, path));
  return text ? NumberOf(*text, name) : std::nullopt;
}

/// Returns the path of the file in `commit` that defines the constant. Returns "" if no file or
/// more than one file defines it.
base::Result<std::string> FileWith(const git::Repository& repository, const git::Oid& commit,
                                   const std::string& name) {
  TRY(const auto paths, git::FilesWithAny(repository, {git::Place::Kind::Commit, commit}, {name}));
  std::string found;
  for (const std::string& path : paths) {
    TRY(const auto number, NumberAt(repository, commit, path, name));
    if (!number) continue;
    if (!found.empty()) return std::string();
    found = path;
  }
  return found;
}

}  // namespace

base::Result<ConstantHistory> HistoryOf(const git::Repository& repository,
                                        const VersionConstant& constant) {
  ConstantHistory out;
  TRY(const bool shallow, repository.IsShallow());
  out.shallow = shallow;
  TRY(const auto head, repository.Head());
  std::map<std::int64_t, git::Oid> newest;
  std::set<std::int64_t> ambiguous;
  std::string path = constant.path;
  std::optional<git::Oid> from = head;
  for (int moves = 0; from && !path.empty() && moves < kMostMoves; ++moves) {
    TRY(const auto commits,
        git::CommitsChangingLines(repository, *from, path, constant.name, kMostCommits));
    std::optional<git::Oid> before;
    for (const git::Oid& commit : commits) {
      TRY(const auto number, NumberAt(repository, commit, path, constant.name));
      if (!number) continue;
      TRY(const auto info, repository.ReadCommit(commit));
      std::optional<std::int64_t> parent;
      if (!info.parents.empty()) {
        TRY(parent, NumberAt(repository, info.parents.front(), path, constant.name));
        if (!parent) {
          // The constant is new in this file. If the commit moved it here, continue with the file
          // that contained it before.
          TRY(const std::string origin, FileWith(repository, info.parents.front(), constant.name));
          if (!origin.empty()) {
            TRY(parent, NumberAt(repository, info.parents.front(), origin, constant.name));
            before = info.parents.front();
            path = origin;
          }
        }
      }
      if (!parent || *number > *parent) {
        if (!newest.emplace(*number, commit).second) ambiguous.insert(*number);
      }
      if (before) break;
    }
    from = before;
  }
  for (const auto& [number, commit] : newest) {
    TRY(auto info, repository.ReadCommit(commit));
    out.bumps.push_back({number, std::move(info)});
  }
  out.ambiguous.assign(ambiguous.begin(), ambiguous.end());
  return out;
}

}  // namespace revctl::commands
