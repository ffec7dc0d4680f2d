#include "revctl/fixing/change_set.h"

#include <algorithm>
#include <utility>

#include "revctl/base/file.h"
#include "revctl/base/shell_word.h"
#include "revctl/config/files.h"
#include "revctl/git/text_merge.h"

namespace revctl::commands {

Result<Done> ChangeSet::WriteList(const list::ListConfig& list, const std::string& text) {
  TRY(auto before, workspace_.ReadList(list));
  if (before == text) return Done{};
  if (dry_run_) workspace_.Preview(list, text);
  else TRY(workspace_.WriteList(list, text));
  Add({workspace_.GitPath(list.path), std::move(before), text});
  return Done{};
}

Result<Done> ChangeSet::WriteFile(const std::string& path, const std::optional<std::string>& text) {
  const std::string file = workspace_.FilePath(path);
  TRY(auto before, config::ReadFile(file, config::kMaxListBytes));
  if (before == text) return Done{};
  if (!dry_run_ && text) TRY(config::ReplaceFile(file, *text));
  if (!dry_run_ && !text) {
    if (auto removed = base::RemoveFile(file); !removed)
      return Error{Exit::Environment, path + ": " + removed.error().message,
                   "rm " + base::ShellPath(path)};
  }
  Add({workspace_.GitPath(path), std::move(before), text});
  return Done{};
}

void ChangeSet::Add(FileChange change) {
  const auto known = std::find_if(changes_.begin(), changes_.end(),
                                  [&](const FileChange& one) { return one.path == change.path; });
  if (known == changes_.end()) changes_.push_back(std::move(change));
  else known->after = std::move(change.after);
}

std::vector<std::string> ChangeSet::Paths() const {
  std::vector<std::string> out;
  for (const FileChange& change : changes_) {
    if (change.before != change.after) out.push_back(change.path);
  }
  return out;
}

Result<std::string> ChangeSet::Diff() const {
  std::string out;
  for (const FileChange& change : changes_) {
    TRY(const auto text, git::TextDiff(change.path, change.before, change.after));
    out += text;
  }
  return out;
}

}  // namespace revctl::commands
