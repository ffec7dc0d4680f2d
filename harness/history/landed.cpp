#include "harness/history/landed.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "golden/index.h"
#include "golden/text/text_tree.h"
#include "harness/history/git_queries.h"
#include "revctl/base/file.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;

/// When `revctl fold` runs the program that refreshes goldens, it sets this environment variable to
/// the commit that is being folded.
constexpr const char* kFoldOf = "REVCTL_FOLD";

constexpr std::size_t kLargestPolicy = 1U << 20;

/// A list's entry in `.revctl.yaml`. The name and the path identify the list even in a commit in
/// which the goldens are in a different folder.
struct ListHere {
  std::string name, path, golden;
  bool at_landing = false;
};

/// The relevant part of the nearest configuration: the target branch, the list of the goldens, and
/// the list's folder of pending files.
struct Policy {
  std::string branch, pending;
  fs::path root;  ///< folder of the configuration; empty if there is none
  ListHere list;
};

std::string Said(const golden::TextNode& node, std::string_view key) {
  const golden::TextNode* said = node.Find(key);
  return said == nullptr ? "" : said->scalar;
}

std::vector<ListHere> ListsIn(const golden::TextNode& tree) {
  std::vector<ListHere> out;
  if (const golden::TextNode* lists = tree.Find("lists"); lists != nullptr) {
    for (const golden::TextNode& list : lists->list)
      out.push_back({Said(list, "name"), Said(list, "path"), Said(list, "golden"),
                     Said(list, "numbers") == "at-landing"});
  }
  return out;
}

/// Finds the list whose goldens are in `folder`, and its folder of pending files if it uses numbers
/// at landing. If a configuration has only one list, the list may omit its golden folder.
void FindList(const golden::TextNode& tree, const fs::path& folder, Policy& policy) {
  auto lists = ListsIn(tree);
  for (ListHere& list : lists) {
    std::error_code error;
    const bool ours =
        !list.golden.empty() && fs::weakly_canonical(policy.root / list.golden, error) == folder;
    if (list.at_landing && !list.path.empty() && policy.pending.empty() &&
        (ours || lists.size() == 1)) {
      fs::path file = policy.root / list.path;
      policy.pending = file.replace_extension(".pending").generic_string();
    }
    if (ours) policy.list = std::move(list);
  }
}

/// Looks for the configuration in `folder` and its parents up to `work_tree`, or up to the root if
/// `work_tree` is empty.
Policy ReadPolicy(const fs::path& folder, const fs::path& work_tree) {
  std::string target = "main", remote = "origin";
  Policy policy;
  for (fs::path at = folder;; at = at.parent_path()) {
    const std::string path = (at / ".revctl.yaml").generic_string();
    if (const auto text = base::ReadFile(path, kLargestPolicy); text && *text) {
      // Ignore an unreadable configuration, because `revctl` reports it, and the defaults are right
      // for most teams.
      if (const auto tree = golden::ParseTextTree(**text, path)) {
        if (const auto* said = tree->Find("target"); said != nullptr && !said->scalar.empty())
          target = said->scalar;
        if (const auto* said = tree->Find("remote"); said != nullptr && !said->scalar.empty())
          remote = said->scalar;
        policy.root = at;
        FindList(*tree, folder, policy);
      }
      break;
    }
    if (at == work_tree || !at.has_relative_path()) break;
  }
  policy.branch = remote + "/" + target;
  return policy;
}

/// Returns the golden folder in a commit. It may differ from the current one if this branch or the
/// target moved the folder. Returns "" if the commit's configuration does not name it.
std::string FolderAt(const Policy& policy, const std::string& commit) {
  if (policy.list.path.empty()) return "";
  const ProgramOutput shown =
      RunProgram({"git", "-C", policy.root.generic_string(), "show", commit + ":./.revctl.yaml"},
                 Complaints::Dropped);
  if (!shown.ok || shown.text.size() > kLargestPolicy) return "";
  const auto tree = golden::ParseTextTree(shown.text, ".revctl.yaml");
  if (!tree) return "";
  const auto lists = ListsIn(*tree);
  for (const ListHere& list : lists) {
    const bool same =
        policy.list.name.empty() ? list.path == policy.list.path : list.name == policy.list.name;
    if (same || lists.size() == 1) return list.golden;
  }
  return "";
}

/// Returns the paths of all files in `root`/`within` in a commit, or nullopt if git does not know
/// the commit.
std::optional<std::set<std::string>> FilesAt(const std::string& root, const std::string& commit,
                                             const std::string& within = ".") {
  const ProgramOutput listed =
      RunProgram({"git", "-C", root, "ls-tree", "-z", "--name-only", commit, "--", within + "/"},
                 Complaints::Dropped);
  if (!listed.ok) return std::nullopt;
  std::set<std::string> paths;
  for (std::size_t begin = 0, end; (end = listed.text.find('\0', begin)) != std::string::npos;
       begin = end + 1)
    paths.insert(listed.text.substr(begin, end - begin));
  return paths;
}

/// Returns the newest commit in HEAD that was once the tip of the target branch, or "". Other
/// common commits do not qualify. They may come from a topic branch on which this branch is based,
/// and that topic branch may have landed after revisions that are missing here.
std::string TipWithin(const std::string& folder, const std::string& ref) {
  constexpr const char* kMostTips = "--max-count=64";
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder});
    return RunProgram(std::move(words), Complaints::Dropped);
  };
  // The reflog lists the tips that this clone has seen.
  std::istringstream tips(git({"log", "-g", "--format=%H", kMostTips, ref}).text);
  for (std::string tip; std::getline(tips, tip);) {
    if (git({"merge-base", "--is-ancestor", tip, "HEAD"}).ok) return tip;
  }
  // Without such a tip, use the common base of all paths into the branch. Following only first
  // parents is wrong if a topic branch merged the target and was then pushed as the new tip.
  std::vector<std::string> octopus = {"merge-base", "--octopus"};
  std::istringstream lines(git({"rev-list", "--boundary", ref, "--not", "HEAD"}).text);
  for (std::string line; std::getline(lines, line);) {
    // Lines of commits on the boundary have the form "-COMMIT".
    if (line.starts_with('-')) octopus.push_back(line.substr(1));
  }
  const std::string base = octopus.size() > 2 ? git(octopus).text : "";
  return base.substr(0, base.find('\n'));
}

/// Returns the names of the golden files in a commit, or nullopt if git does not know the commit.
std::optional<std::set<std::string>> NamesAt(const std::string& golden, const Policy& policy,
                                             const std::string& commit) {
  auto names = FilesAt(golden, commit);
  if (!names || !names->empty()) return names;
  const std::string folder = FolderAt(policy, commit);
  if (folder.empty()) return names;
  for (const std::string& path :
       FilesAt(policy.root.generic_string(), commit, folder).value_or(std::set<std::string>()))
    names->emplace(base::FileName(path));
  return names;
}

}  // namespace

Landed::Landed(const std::string& golden) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(golden, error);
  if (error) return;
  const fs::path work_tree = WorkTreeAround(folder);
  const Policy policy = ReadPolicy(folder, work_tree);
  pending_ = policy.pending;
  golden_ = folder.generic_string();
  if (work_tree.empty()) return;
  branch_ = policy.branch;
  names_at_ = [golden = golden_, policy](const std::string& commit) {
    return NamesAt(golden, policy, commit);
  };
  if (auto names = names_at_("refs/remotes/" + branch_)) {
    known_ = true;
    names_ = std::move(*names);
  }
  // During a fold, the pending files are already removed from the work tree, but have not landed.
  const char* const fold = std::getenv(kFoldOf);
  if (fold == nullptr || !at_landing()) return;
  const std::string within = fs::relative(pending_, work_tree, error).generic_string();
  const auto paths = FilesAt(work_tree.generic_string(), fold, within);
  for (const std::string& path : paths.value_or(std::set<std::string>()))
    folded_.emplace(base::FileName(path));
}

std::set<std::string> Landed::JoinedWith(const std::set<std::string_view>& here) const {
  std::set<std::string> joined;
  for (const std::string_view name : here) {
    if (Has(std::string(name))) joined.emplace(name);
  }
  const bool behind = std::any_of(names_.begin(), names_.end(), [&](const std::string& file) {
    const auto name = golden::ParseFileName(file);
    return name && name->kind == golden::FileName::Kind::Record && !here.contains(name->revision);
  });
  if (at_landing() || !behind) return joined;
  const auto files = names_at_(TipWithin(golden_, "refs/remotes/" + branch_));
  std::erase_if(joined,
                [&](const std::string& name) { return files && !files->contains(name + ".yaml"); });
  return joined;
}

bool Landed::IsUnfolded(const std::string& revision) const {
  std::error_code error;
  const std::string file = revision + ".yaml";
  return at_landing() &&
         (folded_.contains(file) || fs::is_regular_file(fs::path(pending_) / file, error));
}

bool Landed::IsFold() { return std::getenv(kFoldOf) != nullptr; }

bool Landed::IsForTheFold(const std::string& revision) const {
  return IsUnfolded(revision) && HasFile(revision + ".yaml") && !IsFold();
}

}  // namespace revctl::harness
