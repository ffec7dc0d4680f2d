#include "revctl/lookup/lineage_search.h"

#include <fmt/core.h>

#include <set>

#include "revctl/git/history.h"
#include "revctl/pending/pending_file.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/list_view.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

std::optional<LineageFound> Look(const list::RevisionList& list, std::uint64_t root,
                                 std::uint64_t wanted) {
  for (const list::Lineage& lineage : list::Lineages(list, root)) {
    if (lineage.hash == wanted) return LineageFound{lineage.name, lineage.number, list, root, ""};
  }
  return std::nullopt;
}

/// All versions of a list on this clone's branches, tags and stashes.
class Versions {
 public:
  Versions(const Workspace& workspace, const list::ListConfig& config)
      : workspace_(workspace), config_(config) {}

  Result<std::optional<LineageFound>> Find(std::uint64_t wanted) const {
    TRY(auto paths, Paths());
    TRY(auto commits, Commits(paths));
    // Many commits contain the same list, so parse each version only once.
    std::set<std::pair<std::size_t, std::uint64_t>> seen;
    for (const git::Oid& commit : commits) {
      list::ListConfig there = ConfigThen(commit);
      const std::uint64_t root = LineageRoot(there);
      for (const std::string& path : paths) {
        there.path = path;
        // Read exactly this path, because the commit may also contain an older file next to the
        // configured list.
        auto text = workspace_.repository().ReadFile(commit, workspace_.GitPath(path));
        if (!text.ok() || !*text ||
            !seen.emplace(std::hash<std::string>()(**text + PendingFiles(commit, there)), root)
                 .second)
          continue;
        auto list = Parse(commit, **text, there);
        // Skip unreadable lists, because no program can have been built with them.
        if (!list.ok()) continue;
        auto found = Look(*list, root, wanted);
        if (!found) continue;
        TRY(const auto about, workspace_.repository().ReadCommit(commit));
        found->where = Described(about) + (path == config_.path ? "" : ", " + path);
        return found;
      }
    }
    return std::optional<LineageFound>();
  }

 private:
  /// Returns the commits that changed any of `paths`, including commits on side branches whose
  /// changes a merge discarded.
  Result<std::vector<std::string>> Commits(const std::set<std::string>& paths) const {
    std::vector<std::string> places;
    for (const std::string& path : paths) {
      places.push_back(workspace_.GitPath(path));
      // Also search the commits that changed pending files, because pending revisions affect
      // lineages.
      list::ListConfig there = config_;
      there.path = path;
      if (path != config::kFileName) places.push_back(workspace_.GitPath(pending::Folder(there)));
    }
    return git::AllCommitsTouching(workspace_.repository(), places, config_.path);
  }

  /// Returns all paths that the list has ever had, according to the versions of `.revctl.yaml` and
  /// git's rename detection.
  Result<std::set<std::string>> Paths() const {
    std::set<std::string> out = {config_.path};
    TRY(auto commits, Commits({std::string(config::kFileName)}));
    for (const git::Oid& commit : commits) out.insert(ConfigThen(commit).path);
    TRY(auto head, workspace_.repository().Head());
    if (!head) return out;
    TRY(const auto names, git::FormerPaths(workspace_.repository(), *head,
                                           workspace_.GitPath(config_.path), config_.path));
    const std::string prefix = workspace_.GitPath("");
    for (const std::string& name : names) {
      if (name.starts_with(prefix)) out.insert(name.substr(prefix.size()));
    }
    return out;
  }

  /// Returns the list's config at `commit`, or the current config if the commit has none.
  list::ListConfig ConfigThen(const git::Oid& commit) const {
    auto then = workspace_.At(commit).Config();
    const auto* list = then.ok() && *then ? (**then).ListNamed(config_.name) : nullptr;
    return list == nullptr ? config_ : *list;
  }

  Result<list::RevisionList> Parse(const git::Oid& commit, const std::string& text,
                                   const list::ListConfig& then) const {
    // Use the current config, except for the path and the numbering mode, which come from the
    // commit.
    list::ListConfig there = config_;
    there.path = then.path;
    there.numbers = then.numbers;
    there.floor = then.floor;
    TRY(auto parsed, list::Parse(text, there, there.path));
    return workspace_.At(commit).WithPending(there, parsed);
  }

  /// Returns the names and contents of the pending files next to the list, which distinguish
  /// versions of an unchanged list.
  std::string PendingFiles(const git::Oid& commit, const list::ListConfig& there) const {
    std::string out;
    if (there.numbers == list::Numbers::AtReserve) return out;
    auto files =
        workspace_.repository().ListFiles(commit, workspace_.GitPath(pending::Folder(there)));
    if (!files.ok()) return out;
    for (const git::TreeFile& file : *files) out += '\n' + file.path + ' ' + file.id;
    return out;
  }

  const Workspace& workspace_;
  const list::ListConfig& config_;
};

}  // namespace

Result<std::optional<LineageFound>> FindLineage(const Workspace& workspace,
                                                const list::ListConfig& config,
                                                const std::string& wanted) {
  const auto hash = list::LineageFromText(wanted);
  if (!hash) return std::optional<LineageFound>();
  if (auto working = workspace.ParseWorking(config); working.ok()) {
    if (auto found = Look(*working, LineageRoot(config), *hash)) {
      found->where = config.path + " here";
      return found;
    }
  }
  return Versions(workspace, config).Find(*hash);
}

std::string Described(const git::CommitInfo& commit) {
  return fmt::format("{} by {}, {}", commit.id.substr(0, 10), commit.author.Text(),
                     DateText(commit.time));
}

}  // namespace revctl::commands
