#pragma once
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "golden/result.h"
#include "harness/commands/session.h"
#include "harness/signals/verdicts.h"

namespace revctl::harness {

/// Changes that wait for approval, as files in a folder outside the source tree: `ID.yaml` with the
/// change and `ID.txt` with its finding. They let users resume `review` and scripts name a change.
/// They do not approve anything.
class PendingFolder {
 public:
  /// `own`: for a folder inside a shared one, the parent folder that must belong to this user
  /// alone.
  explicit PendingFolder(std::string folder, std::string own = "")
      : folder_(std::move(folder)), own_(std::move(own)) {}
  /// Returns the folder of the harness `program`: in the build tree, or in git's folder if the
  /// build tree is the source tree, or in the user's temporary folder if there is no git.
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

/// True if $CI is set, which means that nobody is present to decide.
bool UnderCi();

/// True if the text is not blank.
bool IsReason(const std::string& reason);

PendingFolder FolderOf(const Session& session);

}  // namespace revctl::harness
