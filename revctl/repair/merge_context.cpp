#include "revctl/repair/merge_context.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "revctl/base/ascii.h"
#include "revctl/config/files.h"
#include "revctl/gate/renamed_revisions.h"
#include "revctl/git/text_merge.h"
#include "revctl/tree/tree.h"
#include "revctl/workspace/releases.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {
namespace {

struct Found {
  config::Config config;
  std::string prefix;  ///< folder of .revctl.yaml within the repository, with a trailing '/'
};

const list::ListConfig* ListExactlyAt(const Found& found, const std::string& path) {
  for (const auto& list : found.config.lists) {
    if (found.prefix + list.path == path) return &list;
  }
  return nullptr;
}

/// Returns the list at `path`. If the config has no list there because one side renamed the file,
/// returns the only list, or the only list with the same file name. Otherwise returns null.
const list::ListConfig* ListHere(const Found& found, const std::string& path) {
  if (const auto* exact = ListExactlyAt(found, path)) return exact;
  const list::ListConfig* same_name = nullptr;
  int same_names = 0;
  for (const auto& list : found.config.lists) {
    if (std::filesystem::path(list.path).filename() != std::filesystem::path(path).filename())
      continue;
    same_name = &list;
    ++same_names;
  }
  if (found.config.lists.size() == 1) return &found.config.lists.front();
  return same_names == 1 ? same_name : nullptr;
}

std::optional<Found> FoundAt(const git::Repository& repository, const git::Oid& commit,
                             const std::string& prefix) {
  auto config = Tree::Commit(repository, commit, prefix).Config();
  if (!config.ok() || !*config) return std::nullopt;
  return Found{std::move(**config), prefix};
}

std::optional<Found> FindConfig(const git::Repository& repository, const std::string& path) {
  const std::string root = repository.root();
  std::string prefix;
  if (!root.empty()) {
    const std::string folder = (std::filesystem::path(root) / path).parent_path().generic_string();
    if (auto at = FindConfigFolder(folder, root)) {
      if (at->size() > root.size()) prefix = at->substr(root.size() + 1) + "/";
      auto read = ReadConfig(*at);
      if (read.ok() && read->has_value()) {
        Found found{std::move(**read), prefix};
        if (ListHere(found, path) != nullptr) return found;
      }
    }
  }
  auto head = repository.Head();
  if (head.ok() && *head) return FoundAt(repository, **head, prefix);
  return std::nullopt;
}

/// Finds a list that was at `path` in any of `commits`, and returns the list with the same name in
/// `found`. Returns null if there is none.
const list::ListConfig* ListMovedTo(const git::Repository& repository, const Found& found,
                                    const std::string& path, const std::set<git::Oid>& commits) {
  for (const git::Oid& commit : commits) {
    const auto there = FoundAt(repository, commit, found.prefix);
    const auto* moved = there ? ListExactlyAt(*there, path) : nullptr;
    if (moved == nullptr) continue;
    if (const auto* list = found.config.ListNamed(moved->name)) return list;
  }
  return nullptr;
}

/// Returns the target's tip, or nullopt if it is unknown. If the configured remote does not exist
/// (it may have been renamed), falls back to the branch of the same name: on another remote if
/// exactly one remote has it, otherwise the local branch.
Result<std::optional<git::Oid>> TargetTip(const git::Repository& repository,
                                          const TeamRemote& remote, const std::string& target,
                                          const std::string& ref) {
  auto tip = repository.Resolve(ref);
  if (!tip.ok() || *tip || !remote.missing) return tip;
  TRY(auto branches, repository.Refs("refs/remotes/"));
  std::erase_if(branches, [&](const auto& branch) {
    // `first` is "refs/remotes/NAME/BRANCH"; compare "/BRANCH".
    return branch.first.substr(std::min(branch.first.find('/', 13), branch.first.size())) !=
           "/" + target;
  });
  if (branches.size() == 1) return std::optional<git::Oid>(branches.front().second);
  return repository.Resolve("refs/heads/" + target);
}

/// Returns the commits that `git merge` names in GITHEAD_ variables, which it sets before it writes
/// MERGE_HEAD.
std::vector<std::string> HeadsInEnvironment() {
  constexpr std::string_view kGitHead = "GITHEAD_";
  std::vector<std::string> heads;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::size_t end = text.find('=');
    if (!text.starts_with(kGitHead) || end == text.npos) continue;
    const std::string_view id = text.substr(kGitHead.size(), end - kGitHead.size());
    if (base::IsHex(id)) heads.emplace_back(id);
  }
  return heads;
}

/// Implements MergeContext::knew_landed: true if the side's merge base with the target already has
/// the landed revision with the given number. Needed when a branch lands as a squash and a stacked
/// branch or a copy renumbers the same revision. Reads the history only when called.
decltype(list::MergeContext::knew_landed) KnewLanded(const git::Repository& repository,
                                                     git::Oid target, list::ListConfig list,
                                                     std::string prefix) {
  return [=, &repository](std::string_view side, const std::string& landed, std::int64_t number) {
    const auto text_at = [&](const git::Oid& commit) {
      const auto there = Tree::Commit(repository, commit, prefix).List(list);
      return there.ok() ? there->text.value_or("") : "";
    };
    const auto commits = CommitsOfMerge(repository);
    return std::any_of(commits.begin(), commits.end(), [&](const git::Oid& commit) {
      if (text_at(commit) != side) return false;
      const auto fork = repository.MergeBase(commit, target);
      if (!fork.ok() || !*fork) return false;
      const auto then = list::Parse(text_at(**fork), list, list.path);
      const list::Entry* const entry = then.ok() ? then->Find(landed) : nullptr;
      return entry != nullptr && entry->number == number;
    });
  };
}

/// Implements MergeContext::renamed. During a cherry-pick or a rebase, git does not reveal which
/// commit one of the sides is. The callback then returns true: the merge base is that commit's
/// parent, so the commit itself made the change.
decltype(list::MergeContext::renamed) WasRenamed(const git::Repository& repository, git::Oid target,
                                                 list::ListConfig list, std::string prefix) {
  return
      [=, &repository](std::string_view side, const std::string& landed, const std::string& heir) {
        bool known = false;
        for (const git::Oid& commit : CommitsOfMerge(repository)) {
          const Tree tree = Tree::Commit(repository, commit, prefix);
          const auto there = tree.List(list);
          if (!there.ok() || there->text.value_or("") != side) continue;
          known = true;
          RenameHistory history(tree, list, {landed, heir});
          if (!history.AddCommits(target, commit).ok()) continue;
          const auto replaces = history.Replaces(landed, heir);
          if (replaces.ok() && *replaces) return true;
        }
        return !known;
      };
}

}  // namespace

std::set<git::Oid> CommitsOfMerge(const git::Repository& repository) {
  std::vector<std::string> names = HeadsInEnvironment();
  // REVERT_HEAD^ is needed because a revert merges with the reverted commit's parent.
  names.insert(names.end(), {"HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD",
                             "REVERT_HEAD^", "refs/stash"});
  std::set<git::Oid> commits;
  for (const std::string& name : names) {
    const auto commit = repository.RevParse(name);
    if (commit.ok() && *commit) commits.insert(**commit);
  }
  return commits;
}

list::TextMerge PlainTextMerge(int marker_size) {
  return [marker_size](std::string_view base, std::string_view ours,
                       std::string_view theirs) -> list::MergedText {
    git::TextMergeLabels labels;
    labels.marker_size = marker_size;
    auto merged = git::TextMerge(base, ours, theirs, labels);
    // If libgit2 fails, report a conflict with both texts, so that the user can resolve it.
    if (!merged.ok()) return {std::string(ours) + std::string(theirs), true};
    return {std::move(merged->text), merged->conflict};
  };
}

Result<std::optional<GoldenScene>> GatherGoldenScene(const std::string& directory,
                                                     const std::string& path) {
  TRY(auto repository, git::OpenRepository(directory));
  const auto found = FindConfig(*repository, path);
  if (!found) return std::optional<GoldenScene>();
  const auto& lists = found->config.lists;
  const auto folder = [&](const list::ListConfig& list) {
    return found->prefix + list.golden + "/";
  };
  const auto list = std::find_if(lists.begin(), lists.end(), [&](const list::ListConfig& one) {
    return !one.golden.empty() && path.starts_with(folder(one)) &&
           golden::ParseFileName(std::string_view(path).substr(folder(one).size()));
  });
  if (list == lists.end()) return std::optional<GoldenScene>();
  const std::string file = path.substr(folder(*list).size());
  GoldenScene scene;
  scene.name = *golden::ParseFileName(file);
  TRY(auto remote, ResolveRemote(*repository, found->config.remote, found->config.remote_named));
  const ledger::Ledger ledger(*repository, {remote.name, remote.missing, found->config.ledger,
                                            found->config.ledger_id, found->config.target});
  scene.target = ledger.TargetRef();
  TRY(auto target, TargetTip(*repository, remote, found->config.target, scene.target));
  scene.target_known = target.has_value();
  if (scene.target_known) {
    // Look up the golden folder by the list's name, because the target may use a different folder.
    const auto there = FoundAt(*repository, *target, found->prefix);
    const auto* landed = there ? there->config.ListNamed(list->name) : nullptr;
    const bool elsewhere = landed != nullptr && !landed->golden.empty();
    TRY(auto text, repository->ReadFile(*target, folder(elsewhere ? *landed : *list) + file));
    scene.landed = std::move(text);
  }
  return std::optional<GoldenScene>(std::move(scene));
}

Result<MergeScene> SceneOfTool(const std::string& directory, const std::string& path,
                               const std::string& base, const std::string& landed) {
  TRY(const auto from, AbsoluteFolder(directory));
  const std::filesystem::path file = std::filesystem::path(from) / path;
  auto folder = FindConfigFolder(file.parent_path().generic_string(), "");
  if (!folder) folder = FindConfigFolder(from, "");  // `path` may be a temporary file
  MergeScene scene;
  scene.list.path = path;
  if (folder) {
    TRY(auto read, ReadConfig(*folder));
    if (!read) return Error{Exit::Usage, *folder + "/.revctl.yaml cannot be read", ""};
    const Found found{std::move(*read), ""};
    const auto* list =
        ListHere(found, file.lexically_normal().lexically_relative(*folder).generic_string());
    if (list == nullptr)
      return Error{Exit::Usage, path + ": .revctl.yaml has no such list",
                   "correct `path` in .revctl.yaml"};
    scene.list = *list;
  }
  scene.context.landed_known = true;
  scene.context.landed_text = landed;
  // Without git there is no ledger, so a number is final once it is submitted.
  scene.context.confirms_numbers = true;
  // The pending change is based on the common ancestor, so it must have renamed any entry that it
  // lacks.
  scene.context.renamed = [](std::string_view, const std::string&, const std::string&) {
    return true;
  };
  // The pending side started with the common ancestor's landed revisions, so if the number of one
  // of them differs, somebody edited it.
  scene.context.knew_landed = [config = scene.list, base](std::string_view, const std::string& name,
                                                          std::int64_t number) {
    const auto parsed = list::Parse(base, config, config.path);
    const list::Entry* const entry = parsed.ok() ? parsed->Find(name) : nullptr;
    return entry != nullptr && entry->number == number;
  };
  return scene;
}

Result<MergeScene> GatherMergeScene(const std::string& directory, const std::string& path) {
  MergeScene scene;
  TRY(auto repository, git::OpenRepository(directory));
  scene.repository = std::move(repository);
  auto found = FindConfig(*scene.repository, path);
  if (!found) return Error{Exit::Usage, path + ": no readable .revctl.yaml", "revctl init"};
  TRY(auto remote,
      ResolveRemote(*scene.repository, found->config.remote, found->config.remote_named));
  if (remote.missing) scene.notes.push_back(remote.missing->message + "; " + remote.missing->fix);
  ledger::Ledger ledger(*scene.repository, {remote.name, remote.missing, found->config.ledger,
                                            found->config.ledger_id, found->config.target});
  TRY(auto target, TargetTip(*scene.repository, remote, found->config.target, ledger.TargetRef()));
  const list::ListConfig* list = ListExactlyAt(*found, path);
  if (list == nullptr) {
    std::set<git::Oid> commits = CommitsOfMerge(*scene.repository);
    if (target) commits.insert(*target);
    list = ListMovedTo(*scene.repository, *found, path, commits);
  }
  if (list == nullptr) list = ListHere(*found, path);
  if (list == nullptr)
    return Error{Exit::Usage, path + ": .revctl.yaml has no such list",
                 "correct `path` in .revctl.yaml"};
  scene.list = *list;
  if (target) {
    // Look up the list by its name, because it may have a different path on the target.
    TRY(auto there, Tree::Commit(*scene.repository, *target, found->prefix).List(*list));
    scene.list.purged.insert(there.config.purged.begin(), there.config.purged.end());
    scene.context.landed_known = true;
    scene.context.landed_text = there.text.value_or("");
    scene.context.knew_landed = KnewLanded(*scene.repository, *target, *list, found->prefix);
    scene.context.renamed = WasRenamed(*scene.repository, *target, *list, found->prefix);
    scene.context.on_release = OnRelease(
        {scene.repository.get(), found->config, remote.name, found->prefix, target}, *list);
  } else {
    scene.notes.push_back(
        ledger.TargetRef() +
        " is not in this clone, so revctl cannot tell which revisions have landed");
  }
  scene.context.released =
      ReleaseLines(*scene.repository, found->config, *list, remote.name, found->prefix);
  auto snapshot = ledger.Cached();
  if (!snapshot.ok()) {
    scene.notes.push_back(ErrorText(snapshot.error()));
  } else if (snapshot->tip) {
    scene.context.ledger_known = true;
    auto state = snapshot->state.lists.find(list->name);
    if (state != snapshot->state.lists.end()) {
      scene.context.high_water = state->second.high_water.value_or(0);
      for (const auto& reservation : state->second.open)
        scene.context.reservations.emplace_back(reservation.name, reservation.number);
    }
  }
  return scene;
}

}  // namespace revctl::commands
