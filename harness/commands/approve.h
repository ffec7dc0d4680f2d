#pragma once
#include <string>
#include <vector>

#include <revctl/harness.h>

#include "golden/result.h"
#include "harness/commands/session.h"
#include "harness/signals/verdicts.h"

namespace revctl::harness {

/// Pending changes as files, in a folder outside the source tree: `ID.yaml` beside `ID.txt`, what
/// the finding says. So that `review` can be left and gone on with, and a script can name one.
/// Nothing here is an acceptance.
class PendingFolder {
 public:
  /// `own`: where it lies among other people's, the folder above it that must be this user's alone.
  explicit PendingFolder(std::string folder, std::string own = "")
      : folder_(std::move(folder)), own_(std::move(own)) {}
  /// Of the harness called `program`: in the build tree; where that is the source tree, in git's
  /// own folder; where there is neither, in the user's folder for temporary files.
  static PendingFolder Of(const revctl::harness::Settings& settings, const std::string& program);
  const std::string& path() const { return folder_; }

  /// Makes the folder hold exactly these.
  golden::Result<golden::Done> Replace(const std::vector<Pending>& pending) const;
  void Remove(const Pending& pending) const;

 private:
  std::string folder_, own_;
};

/// What stands for a pending change: 16 hex digits.
std::string PendingId(const Pending& pending);

/// Whether CI is set: no person is there to decide.
bool UnderCi();

/// Whether the text says anything.
bool IsReason(const std::string& reason);

/// The folder of this harness's pending changes.
PendingFolder FolderOf(const Session& session);

}  // namespace revctl::harness
