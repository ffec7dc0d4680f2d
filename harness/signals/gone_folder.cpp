#include "harness/signals/gone_folder.h"

#include <filesystem>

#include "harness/history/program_output.h"

namespace revctl::harness {

bool IsGone(const std::string& golden) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(fs::symlink_status(golden, error))) return false;
  const fs::path whole = fs::weakly_canonical(golden, error);
  fs::path there = whole.parent_path();
  while (!fs::is_directory(there, error) && there.has_relative_path()) there = there.parent_path();
  const ProgramOutput listed =
      RunProgram({"git", "--literal-pathspecs", "-C", there.string(), "ls-tree", "--name-only",
                  "HEAD", "--", whole.lexically_relative(there).string() + "/"},
                 Complaints::Dropped);
  return listed.ok && !listed.text.empty();
}

}  // namespace revctl::harness
