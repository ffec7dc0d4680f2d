#include "harness/landed.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "golden/file_io.h"
#include "golden/text_tree.h"
#include "harness/work_tree.h"

namespace harness {
namespace {

namespace fs = std::filesystem;

/// What `git` prints; nothing where there is none, or it fails. A hook's variables would send it to another repository.
std::optional<std::string> Git(std::vector<std::string> words) {
  words.insert(words.begin(), "git");
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("GIT_")) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const bool ran = ::posix_spawnp(&child, "git", &actions, nullptr, arguments.data(), environment.data()) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  char part[1 << 14];
  for (ssize_t count = 0; ran && ((count = ::read(ends[0], part, sizeof part)) > 0 || (count < 0 && errno == EINTR));) {
    if (count > 0) text.append(part, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = -1;
  if (!ran || ::waitpid(child, &status, 0) != child || status != 0) return std::nullopt;
  return text;
}

/// The branch on which the team's revisions land, as the nearest configuration says.
std::string TargetBranch(const fs::path& folder, const fs::path& work_tree) {
  constexpr std::size_t kLargest = 1U << 20;
  std::string target = "main", remote = "origin";
  for (fs::path at = folder;; at = at.parent_path()) {
    const std::string path = (at / ".revctl.yaml").string();
    if (const auto text = golden::ReadFile(path, kLargest); text && *text) {
      // One that this reader cannot read, `revctl` complains about; most teams call them as they are called here.
      if (const auto tree = golden::ParseTextTree(**text, path)) {
        if (const auto* said = tree->Find("target"); said != nullptr && !said->scalar.empty()) target = said->scalar;
        if (const auto* said = tree->Find("remote"); said != nullptr && !said->scalar.empty()) remote = said->scalar;
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
  const auto listed =
      Git({"-C", folder.string(), "ls-tree", "-z", "--name-only", "refs/remotes/" + branch_, "--", "./"});
  known_ = listed.has_value();
  if (!known_) return;
  for (std::size_t begin = 0, end; (end = listed->find('\0', begin)) != std::string::npos; begin = end + 1)
    names_.insert(listed->substr(begin, end - begin));
}

}  // namespace harness
