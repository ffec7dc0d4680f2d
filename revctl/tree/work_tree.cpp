#include "revctl/tree/work_tree.h"

#include <fmt/core.h>

#include <algorithm>

#include "revctl/git/changes.h"
#include "revctl/git/index.h"

namespace revctl::commands {

bool LiesIn(const std::string& path, const std::vector<std::string>& places) {
  return std::any_of(places.begin(), places.end(), [&](const std::string& place) {
    return path == place || path.starts_with(place + "/");
  });
}

Result<TreeChanges> ChangesOf(const git::Repository& repository,
                              const std::vector<std::string>& folders) {
  TRY(const auto status, git::Status(repository, !folders.empty()));
  TreeChanges out;
  for (const git::StatusEntry& entry : status) {
    if (entry.untracked()) {
      if (LiesIn(entry.path, folders)) out.untracked.push_back(entry.path);
      continue;
    }
    out.tracked.push_back(entry.path);
    if (entry.unmerged()) out.unmerged.push_back(entry.path);
  }
  return out;
}

std::string SomeOf(const std::vector<std::string>& paths) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < paths.size() && i < kShown; ++i)
    out += (i == 0 ? "" : ", ") + paths[i];
  if (paths.size() > kShown) out += fmt::format(" and {} more", paths.size() - kShown);
  return out;
}

Result<Done> CommitPaths(const git::Repository& repository, const std::vector<std::string>& paths,
                         const std::string& message) {
  auto made = git::CommitFiles(repository, paths, message,
                               fmt::format("git commit failed for {}", SomeOf(paths)));
  if (!made.ok() && made.error().exit == Exit::Findings)
    made.error().fix = "fix the cause, run git commit, then run revctl land";
  return made;
}

Result<std::map<std::string, Stages>> IndexConflictsUnder(const git::Repository& repository,
                                                          const std::string& place) {
  TRY(const auto entries, git::IndexEntries(repository, git::Entries::Unmerged, place));
  std::map<std::string, Stages> out;
  for (const git::IndexEntry& entry : entries) {
    if (entry.stage >= 1 && entry.stage <= 3)
      out[entry.path][static_cast<std::size_t>(entry.stage - 1)] = entry.id;
  }
  return out;
}

Result<std::array<std::string, 3>> TextsOf(const git::Repository& repository,
                                           const Stages& stages) {
  std::array<std::string, 3> out;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i]) continue;
    TRY(out[i], git::ReadBlob(repository, *stages[i], "one side of the merge"));
  }
  return out;
}

}  // namespace revctl::commands
