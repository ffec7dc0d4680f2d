#pragma once
#include <string>
#include <vector>

#include "revctl/pending/plan.h"

namespace revctl::pending {

/// The files in `folder` of the disk, sorted by name; empty where there is no such folder. Links,
/// folders and files that are too large are told as unreadable. An Error where the folder itself is
/// a link, cannot be read, or has more than kMostFiles.
base::Result<std::vector<PendingText>> ReadFolder(const std::string& folder,
                                                  const std::string& shown);

/// Writes `text` to `path` where that is not what the file has already; true where it was written.
/// A link in its place is an Error.
base::Result<bool> WriteIfChanged(const std::string& path, const std::string& shown,
                                  const std::string& text);

/// What a folder with too many files is told.
base::Error TooMany(const std::string& shown);

}  // namespace revctl::pending
