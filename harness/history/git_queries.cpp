#include "harness/history/git_queries.h"

#include <fmt/core.h>
#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "golden/text/text_tree.h"
#include "revctl/base/ascii.h"
#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/base/system/process.h"

namespace revctl::harness {

ProgramOutput RunProgram(const std::vector<std::string>& words, Complaints complaints) {
  base::ProcessOptions options;
  options.without = "GIT_";
  options.errors_to_stderr = complaints == Complaints::Shown;
  auto run = base::Run(words, options);
  if (!run.ok()) return {};
  return {true, run->ok(), std::move(run->out)};
}

std::filesystem::path WorkTreeAround(const std::filesystem::path& folder) {
  std::error_code ignored;
  for (std::filesystem::path at = folder;; at = at.parent_path()) {
    if (std::filesystem::exists(at / ".git", ignored)) return at;
    if (!at.has_relative_path()) return {};
  }
}

namespace {

namespace fs = std::filesystem;

template <class Take>
void EachName(std::string_view line, const Take& take) {
  for (std::size_t i = 0; i < line.size();) {
    const auto rest = line.substr(i);
    const auto size = static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(), base::IsWord) - rest.begin());
    if (size > 0) take(std::string(rest.substr(0, size)));
    i += std::max<std::size_t>(1, size);
  }
}

}  // namespace

base::Result<std::string> ListFile(const std::string& root, const std::string& golden) {
  constexpr std::size_t kLargest = 1U << 20;
  const std::string file = (fs::path(root) / ".revctl.yaml").generic_string();
  TRY(const auto text, base::ReadFile(file, kLargest));
  if (!text)
    return base::FileError(file, 0, "is missing, so the list's path is unknown", "revctl init");
  TRY(const auto tree, golden::ParseTextTree(*text, file));
  const golden::TextNode* lists = tree.Find("lists");
  std::error_code error;
  const fs::path ours = fs::weakly_canonical(golden, error);
  for (std::size_t i = 0; lists != nullptr && i < lists->list.size(); ++i) {
    const golden::TextNode *path = lists->list[i].Find("path"),
                           *folder = lists->list[i].Find("golden");
    const bool its =
        lists->list.size() == 1 ||
        (folder != nullptr && fs::weakly_canonical(fs::path(root) / folder->scalar, error) == ours);
    if (its && path != nullptr) return path->scalar;
  }
  return base::FileError(file, 0, "does not assign a list to the golden folder " + golden,
                         "golden: FOLDER   # next to the list's path");
}

base::Result<std::vector<PastCommit>> CommitsThatAdded(const std::string& root,
                                                       const std::string& list,
                                                       const std::vector<std::string>& names) {
  const ProgramOutput log =
      RunProgram({"git", "-C", root, "log", "--first-parent", "-m", "--reverse", "--no-color",
                  "--no-ext-diff", "--no-textconv", "--no-show-signature", "--unified=0", "--patch",
                  "--format=commit %H", "HEAD", "--", list},
                 Complaints::Shown);
  if (!log.ok) return base::FileError(root, 0, "git cannot show the history of " + list);
  std::set<std::string> left(names.begin(), names.end());
  std::vector<PastCommit> commits;
  std::string commit;
  std::string_view text = log.text;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("commit ")) commit = line.substr(7);
    if (!line.starts_with('+') || line.starts_with("+++ ")) continue;
    EachName(line.substr(0, line.find("//")), [&](const std::string& name) {
      if (left.erase(name) == 0) return;
      if (commits.empty() || commits.back().commit != commit) commits.push_back({commit, {}});
      commits.back().revisions.push_back(name);
    });
  }
  const auto place = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) - names.begin();
  };
  for (PastCommit& past : commits)
    std::sort(past.revisions.begin(), past.revisions.end(),
              [&](const auto& a, const auto& b) { return place(a) < place(b); });
  return commits;
}

bool RunLogged(const std::string& folder, const std::string& command, const std::string& log) {
  const std::string whole = fmt::format("cd {} || exit\nexec >{} 2>&1 || exit\n{}",
                                        base::ShellWord(folder), base::ShellWord(log), command);
  return RunProgram({"sh", "-c", whole}, Complaints::Shown).ok;
}

bool IsGone(const std::string& golden) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(golden, error))) return false;
  const fs::path whole = fs::weakly_canonical(golden, error);
  // Inside .git, where record-history keeps its stores, git would take the path as relative to the
  // root of the work tree.
  if (std::find(whole.begin(), whole.end(), ".git") != whole.end()) return false;
  fs::path there = whole.parent_path();
  while (!fs::is_directory(there, error) && there.has_relative_path()) there = there.parent_path();
  const ProgramOutput listed = RunProgram(
      {"git", "--literal-pathspecs", "-C", there.generic_string(), "ls-tree", "--name-only", "HEAD",
       "--", whole.lexically_relative(there).generic_string() + "/"},
      Complaints::Dropped);
  return listed.ok && !listed.text.empty();
}

}  // namespace revctl::harness
