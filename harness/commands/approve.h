#pragma once
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "golden/result.h"
#include "harness/commands/session.h"
#include "harness/signals/verdicts.h"

namespace revctl::harness {

/// Pending changes, stored as files in a folder outside the source tree: `ID.yaml` contains the
/// change and `ID.txt` its finding. Users can resume `review` with these files, and scripts can
/// name a change. The files do not approve anything.
class PendingFolder {
 public:
  /// If `folder` is inside a shared folder, `own` is its parent folder, which must belong to this
  /// user alone.
  explicit PendingFolder(std::string folder, std::string own = "")
      : folder_(std::move(folder)), own_(std::move(own)) {}
  /// Returns the folder for the harness `program`. The folder is in the build tree, unless the
  /// build tree is the source tree. In that case, it is in the git directory, or in the user's
  /// temporary folder outside a repository.
  static PendingFolder Of(const revctl::harness::Settings& settings, const std::string& program);
  const std::string& path() const { return folder_; }

  /// Makes the folder contain exactly `pending`.
  golden::Result<golden::Done> Replace(const std::vector<Pending>& pending) const;
  void Remove(const Pending& pending) const;

 private:
  std::string folder_, own_;
};

/// Returns the id of a pending change: 16 hex digits.
std::string PendingId(const Pending& pending);

/// True if $CI is set, which means that no person is present to decide.
bool UnderCi();

/// True if the text is not blank.
bool IsReason(const std::string& reason);

PendingFolder FolderOf(const Session& session);

}  // namespace revctl::harness
