#include "harness/check/pending_folder.h"

#include <fmt/core.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "harness/history/git_queries.h"
#include "revctl/base/file.h"
#include "revctl/base/file_lock.h"
#include "revctl/base/replace_file.h"

namespace revctl::harness {
namespace {

namespace fs = std::filesystem;

/// The text of an approval without a reason: no reader of the store takes it
/// for one.
std::string TextOf(const Pending& pending) { return golden::FormatApproval(pending.approval); }

/// Whether `folder` is `above` or lies below it.
bool IsWithin(const fs::path& folder, const fs::path& above) {
  const fs::path relative = folder.lexically_normal().lexically_relative(above.lexically_normal());
  return !relative.empty() && *relative.begin() != "..";
}

/// Git's own folder of the work tree around `folder`; empty outside of one.
fs::path GitFolder(const fs::path& folder) {
  constexpr std::string_view kLeadsTo =
      "gitdir: ";  // in the file of a linked work tree, or of a submodule
  constexpr std::size_t kMost = 4096;
  std::error_code error;
  const fs::path root = WorkTreeAround(folder.lexically_normal());
  if (root.empty()) return {};
  const fs::path git = root / ".git";
  if (fs::is_directory(git, error)) return git;
  const auto text = base::ReadFile(git.string(), kMost);
  if (!text || !*text || !(*text)->starts_with(kLeadsTo)) return {};
  const std::size_t end = std::min((*text)->find_first_of("\r\n"), (*text)->size());
  const fs::path linked = root / (*text)->substr(kLeadsTo.size(), end - kLeadsTo.size());
  return fs::is_directory(linked, error) ? linked.lexically_normal() : fs::path();
}

}  // namespace

PendingFolder PendingFolder::Of(const revctl::harness::Settings& settings,
                                const std::string& program) {
  const fs::path name = fs::path(program).filename();
  const std::string sources = settings.source_root;
  const bool among_sources = !sources.empty() && IsWithin(sources, settings.build_root);
  const fs::path root = among_sources ? GitFolder(sources) : fs::path(settings.build_root);
  if (!root.empty()) return PendingFolder((root / "revctl-pending" / name).string());
  const fs::path own =
      fs::temp_directory_path() / fmt::format("revctl-pending-{}", base::UserNumber());
  return PendingFolder((own / name).string(), own.string());
}

std::string PendingId(const Pending& pending) { return golden::ApprovalId(pending.approval); }

golden::Result<golden::Done> PendingFolder::Replace(const std::vector<Pending>& pending) const {
  if (!own_.empty()) {
    if (auto made = base::MakePrivateFolder(own_); !made) return made.error();
  }
  TRY(const auto lock, base::FileLock::TakeFolder(folder_));
  std::vector<std::string> wanted;
  for (const Pending& change : pending) {
    const std::string id = PendingId(change);
    for (const auto& [name, text] :
         {std::pair(id + ".yaml", TextOf(change)), std::pair(id + ".txt", change.text + "\n")}) {
      TRY(base::WriteFileAtomically(folder_ + "/" + name, text));
      wanted.push_back(name);
    }
  }
  TRY(const auto present, base::ListFiles(folder_));
  for (const std::string& name : present) {
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      (void)base::RemoveFile(folder_ + "/" + name);
  }
  return golden::Done{};
}

void PendingFolder::Remove(const Pending& pending) const {
  for (const char* ending : {".yaml", ".txt"})
    (void)base::RemoveFile(folder_ + "/" + PendingId(pending) + ending);
}

}  // namespace revctl::harness
