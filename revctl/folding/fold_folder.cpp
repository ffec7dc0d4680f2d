// Folds in a folder that need not be in a repository.
#include <fmt/core.h>

#include <filesystem>
#include <map>

#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/config/files.h"
#include "revctl/folding/commit.h"
#include "revctl/pending/pending_file.h"
#include "revctl/workspace/pending_files.h"

namespace revctl::commands {
namespace {

/// Returns the pending revisions whose goldens have not been recorded, each with the reason why it
/// cannot be folded.
std::map<std::string, std::string> Refused(const std::string& root, const list::ListConfig& list,
                                           const ListAndFiles& here) {
  std::map<std::string, std::string> out;
  const std::string doubt = DoubtAboutNumbers(here.list, list);
  for (const pending::PendingText& file : here.files) {
    const std::string name = pending::NameOfFile(file.file_name);
    if (!doubt.empty()) out.emplace(name, doubt);
    if (list.golden.empty()) continue;
    const std::string record = fmt::format("{}/{}.yaml", list.golden, name);
    std::error_code error;
    if (!std::filesystem::is_regular_file(root + "/" + record, error))
      out.emplace(name, fmt::format("it has no golden ({})", record));
  }
  return out;
}

Result<FoldedList> Planned(const std::string& root, const list::ListConfig& list) {
  TRY(const ListAndFiles here, ReadListAndFiles(root, list));
  pending::Plan plan = pending::MakePlan(here.list, list, here.files, Refused(root, list, here));
  TRY(FixUntracked(nullptr, "", list, plan));
  TRY(std::string text, pending::FoldedText(here.list, list, plan));
  return FoldedList{list, std::move(plan), std::move(text)};
}

Result<Done> Write(const std::string& root, const FoldedList& folded) {
  const list::ListConfig& list = folded.config;
  if (!folded.plan.order.empty()) {
    TRY(config::ReplaceFile(root + "/" + list.path, folded.text));
  }
  std::vector<std::string> gone = folded.plan.returned;
  for (const pending::Numbered& one : folded.plan.order) gone.push_back(one.name);
  for (const std::string& name : gone) {
    const std::string path = pending::FilePath(list, name);
    const auto removed = base::RemoveFile(root + "/" + path);
    if (!removed.ok())
      return Error{Exit::Environment, path + ": " + removed.error().message,
                   "remove it, then run revctl fold"};
  }
  TRY(WriteInclude(root, list));
  return Done{};
}

}  // namespace

Result<std::vector<FoldedList>> FoldFolder(const std::string& root,
                                           const std::vector<const list::ListConfig*>& lists) {
  TRY(const auto lock, base::FileLock::TakeFolder(root));
  std::vector<FoldedList> out;
  for (const list::ListConfig* list : lists) {
    if (!AtLanding(*list)) continue;
    TRY(FoldedList folded, Planned(root, *list));
    out.push_back(std::move(folded));
  }
  // Write only after all lists have been planned, so that an error in one list leaves every list
  // unchanged.
  for (const FoldedList& folded : out) TRY(Write(root, folded));
  return out;
}

}  // namespace revctl::commands
