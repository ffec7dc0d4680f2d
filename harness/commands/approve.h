#pragma once
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "golden/result.h"
#include "harness/commands/session.h"
#include "harness/signals/verdicts.h"

namespace revctl::harness {

/// Pending changes, stored as files in a folder outside the source tree: `ID.yaml` contains the
/// change and `ID.txt` its finding. These files let users resume a `review`, and let scripts refer
/// to a change. They do not approve anything.
class PendingFolder {
 public:
  /// `own` is the parent of `folder` if that parent is in a shared folder such as /tmp. Only this
  /// user may have access to `own`.
  explicit PendingFolder(std::string folder, std::string own = "")
      : folder_(std::move(folder)), own_(std::move(own)) {}
  /// Returns the folder for the harness `program`: in the build tree or, for in-source builds, in
  /// the git directory. Without a git directory, the folder is in the user's temporary folder.
  static PendingFolder Of(const revctl::harness::Settings& settings, const std::string& program);
  const std::string& path() const { return folder_; }

  /// Replaces the folder's contents with `pending`.
  golden::Result<golden::Done> Replace(const std::vector<Pending>& pending) const;
  void Remove(const Pending& pending) const;

 private:
  std::string folder_, own_;
};

/// Returns the id of a pending change: 16 hex digits.
std::string PendingId(const Pending& pending);

/// True if $CI is set, which means that no person can decide.
bool UnderCi();

/// True if the text is not blank.
bool IsReason(const std::string& reason);

}  // namespace revctl::harness
