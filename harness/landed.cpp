#include "harness/landed.h"

#include <cstdlib>
#include <filesystem>

#include "golden/file_io.h"
#include "golden/text_tree.h"
#include "harness/program_output.h"
#include "harness/work_tree.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

/// What the nearest configuration says: the branch on which the team's revisions land, and the
/// folder of pending files of the list whose goldens these are.
struct Policy {
  std::string branch, pending;
};

/// `src/list.pending` where the list that has `golden` gives its numbers at landing.
std::string PendingFolder(const golden::TextNode& tree, const fs::path& root,
                          const fs::path& golden) {
  const golden::TextNode* lists = tree.Find("lists");
  if (lists == nullptr) return "";
  for (const golden::TextNode& list : lists->list) {
    const golden::TextNode *path = list.Find("path"), *numbers = list.Find("numbers"),
                           *folder = list.Find("golden");
    if (path == nullptr || numbers == nullptr || numbers->scalar != "at-landing") continue;
    std::error_code error;
    const bool ours =
        folder != nullptr && fs::weakly_canonical(root / folder->scalar, error) == golden;
    if (!ours && lists->list.size() > 1) continue;
    fs::path file = root / path->scalar;
    return file.replace_extension(".pending").string();
  }
  return "";
}

Policy ReadPolicy(const fs::path& folder, const fs::path& work_tree) {
  constexpr std::size_t kLargest = 1U << 20;
  std::string target = "main", remote = "origin", pending;
  for (fs::path at = folder;; at = at.parent_path()) {
    const std::string path = (at / ".revctl.yaml").string();
    if (const auto text = golden::ReadFile(path, kLargest); text && *text) {
      // One that this reader cannot read, `revctl` complains about; most teams call them as they
      // are called here.
      if (const auto tree = golden::ParseTextTree(**text, path)) {
        if (const auto* said = tree->Find("target"); said != nullptr && !said->scalar.empty())
          target = said->scalar;
        if (const auto* said = tree->Find("remote"); said != nullptr && !said->scalar.empty())
          remote = said->scalar;
        pending = PendingFolder(*tree, at, folder);
      }
      break;
    }
    if (at == work_tree || !at.has_relative_path()) break;
  }
  return {remote + "/" + target, pending};
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
  const ProgramOutput listed = RunProgram({"git", "-C", folder.string(), "ls-tree", "-z",
                                           "--name-only", "refs/remotes/" + branch_, "--", "./"},
                                          Complaints::Dropped);
  known_ = listed.ok;
  if (!known_) return;
  for (std::size_t begin = 0, end; (end = listed.text.find('\0', begin)) != std::string::npos;
       begin = end + 1)
    names_.insert(listed.text.substr(begin, end - begin));
}

bool Landed::IsUnfolded(const std::string& revision) const {
  std::error_code error;
  return at_landing() && fs::is_regular_file(fs::path(pending_) / (revision + ".yaml"), error);
}

bool Landed::IsForTheFold(const std::string& revision) const {
  return IsUnfolded(revision) && HasFile(revision + ".yaml") &&
         std::getenv("REVCTL_FOLD") == nullptr;
}

}  // namespace harness
