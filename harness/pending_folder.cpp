#include "harness/pending_folder.h"

#include <algorithm>

#include "golden/file_io.h"

namespace harness {
namespace {

/// The text of an approval that nobody has given a reason for: it is none to any reader of the
/// store.
std::string TextOf(const Pending& pending) { return golden::FormatApproval(pending.approval); }

}  // namespace

std::string PendingId(const Pending& pending) { return golden::ApprovalId(pending.approval); }

golden::Result<golden::Done> PendingFolder::Replace(const std::vector<Pending>& pending) const {
  auto lock = golden::FolderLock::Take(folder_);
  if (!lock) return lock.problem();
  std::vector<std::string> wanted;
  for (const Pending& change : pending) {
    const std::string id = PendingId(change);
    for (const auto& [name, text] :
         {std::pair(id + ".yaml", TextOf(change)), std::pair(id + ".txt", change.text + "\n")}) {
      if (auto written = golden::WriteFileAtomically(folder_ + "/" + name, text); !written)
        return written.problem();
      wanted.push_back(name);
    }
  }
  const auto present = golden::ListFiles(folder_);
  if (!present) return present.problem();
  for (const std::string& name : *present) {
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      (void)golden::RemoveFile(folder_ + "/" + name);
  }
  return golden::Done{};
}

void PendingFolder::Remove(const Pending& pending) const {
  for (const char* ending : {".yaml", ".txt"})
    (void)golden::RemoveFile(folder_ + "/" + PendingId(pending) + ending);
}

}  // namespace harness
