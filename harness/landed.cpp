#include "harness/landed.h"

#include <filesystem>

#include "golden/file_io.h"
#include "golden/text_tree.h"
#include "harness/program_output.h"
#include "harness/work_tree.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

/// The branch on which the team's revisions land, as the nearest configuration says.
std::string TargetBranch(const fs::path& folder, const fs::path& work_tree) {
  constexpr std::size_t kLargest = 1U << 20;
  std::string target = "main", remote = "origin";
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
      }
      break;
    }
    if (at == work_tree || !at.has_relative_path()) break;
  }
  return remote + "/" + target;
}

}  // namespace

Landed::Landed(const std::string& golden) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(golden, error);
  if (error) return;
  const fs::path work_tree = WorkTreeAround(folder);
  if (work_tree.empty()) return;
  branch_ = TargetBranch(folder, work_tree);
  const ProgramOutput listed = RunProgram({"git", "-C", folder.string(), "ls-tree", "-z",
                                           "--name-only", "refs/remotes/" + branch_, "--", "./"},
                                          Complaints::Dropped);
  known_ = listed.ok;
  if (!known_) return;
  for (std::size_t begin = 0, end; (end = listed.text.find('\0', begin)) != std::string::npos;
       begin = end + 1)
    names_.insert(listed.text.substr(begin, end - begin));
}

}  // namespace harness
