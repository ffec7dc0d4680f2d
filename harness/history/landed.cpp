#include "harness/history/landed.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "golden/index.h"
#include "golden/text_tree.h"
#include "harness/history/git_queries.h"
#include "revctl/base/file.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;

/// `revctl fold` sets it for the program that refreshes goldens: the commit that it folds.
constexpr const char* kFoldOf = "REVCTL_FOLD";

constexpr std::size_t kLargestPolicy = 1U << 20;

/// A list of `.revctl.yaml`: the folder of its goldens, and what stays when that moves.
struct ListHere {
  std::string name, path, golden;
  bool at_landing = false;
};

/// What the nearest configuration says: the branch on which the team's revisions land, the folder
/// of pending files of the list whose goldens these are, and the list.
struct Policy {
  std::string branch, pending;
  fs::path root;  ///< the configuration's folder; empty where there is none
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

/// Finds the list whose goldens are in `folder`, and `src/list.pending` where it gives its numbers
/// at landing. A list that is alone need not say where its goldens are.
void FindList(const golden::TextNode& tree, const fs::path& folder, Policy& policy) {
  auto lists = ListsIn(tree);
  for (ListHere& list : lists) {
    std::error_code error;
    const bool ours =
        !list.golden.empty() && fs::weakly_canonical(policy.root / list.golden, error) == folder;
    if (list.at_landing && !list.path.empty() && policy.pending.empty() &&
        (ours || lists.size() == 1)) {
      fs::path file = policy.root / list.path;
      policy.pending = file.replace_extension(".pending").string();
    }
    if (ours) policy.list = std::move(list);
  }
}

Policy ReadPolicy(const fs::path& folder, const fs::path& work_tree) {
  std::string target = "main", remote = "origin";
  Policy policy;
  for (fs::path at = folder;; at = at.parent_path()) {
    const std::string path = (at / ".revctl.yaml").string();
    if (const auto text = base::ReadFile(path, kLargestPolicy); text && *text) {
      // One that this reader cannot read, `revctl` complains about; most teams call them as they
      // are called here.
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

/// Where a commit has the goldens of the list: this branch, or the target, may have moved their
/// folder. Empty where the commit does not say.
std::string FolderAt(const Policy& policy, const std::string& commit) {
  if (policy.list.path.empty()) return "";
  const ProgramOutput shown = RunProgram(
      {"git", "-C", policy.root.string(), "show", commit + ":./.revctl.yaml"}, Complaints::Dropped);
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

/// Paths of the files that a commit has in a folder, which `within` names from `root`; nullopt
/// where git knows no such commit.
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

/// The newest commit of HEAD at which the branch has stood; empty where there is none. Other
/// commits that both have may be of a branch below this one, and have landed behind what is missing
/// here.
std::string TipWithin(const std::string& folder, const std::string& ref) {
  constexpr const char* kMostTips = "--max-count=64";
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder});
    return RunProgram(std::move(words), Complaints::Dropped);
  };
  // The ref's log says where it stood as this clone saw it.
  std::istringstream tips(git({"log", "-g", "--format=%H", kMostTips, ref}).text);
  for (std::string tip; std::getline(tips, tip);) {
    if (git({"merge-base", "--is-ancestor", tip, "HEAD"}).ok) return tip;
  }
  // Else what every way down from it has: its first parents may be a branch's, whose merge of the
  // target was pushed as it was.
  std::vector<std::string> octopus = {"merge-base", "--octopus"};
  std::istringstream lines(git({"rev-list", "--boundary", ref, "--not", "HEAD"}).text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('-')) octopus.push_back(line.substr(1));  // "-COMMIT"
  }
  const std::string base = octopus.size() > 2 ? git(octopus).text : "";
  return base.substr(0, base.find('\n'));
}

/// Names of the files that a commit has among the goldens; nullopt where git knows no such commit.
std::optional<std::set<std::string>> NamesAt(const std::string& golden, const Policy& policy,
                                             const std::string& commit) {
  auto names = FilesAt(golden, commit);
  if (!names || !names->empty()) return names;
  const std::string folder = FolderAt(policy, commit);
  if (folder.empty()) return names;
  for (const std::string& path :
       FilesAt(policy.root.string(), commit, folder).value_or(std::set<std::string>()))
    names->emplace(base::FileName(path));
  return names;
}

}  // namespace

Landed::Landed(const std::string& golden) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(golden, error);
  if (error) return;
  const fs::path work_tree = WorkTreeAround(folder);
  if (work_tree.empty()) return;
  const Policy policy = ReadPolicy(folder, work_tree);
  branch_ = policy.branch;
  pending_ = policy.pending;
  golden_ = folder.string();
  names_at_ = [golden = golden_, policy](const std::string& commit) {
    return NamesAt(golden, policy, commit);
  };
  if (auto names = names_at_("refs/remotes/" + branch_)) {
    known_ = true;
    names_ = std::move(*names);
  }
  // Where a fold is checked out, its files are gone, and none of it has landed.
  const char* const fold = std::getenv(kFoldOf);
  if (fold == nullptr || !at_landing()) return;
  const std::string within = fs::relative(pending_, work_tree, error).generic_string();
  const auto paths = FilesAt(work_tree.string(), fold, within);
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
