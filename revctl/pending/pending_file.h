#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/pending/plan.h"

namespace revctl::pending {

/// A pending file larger than this is refused. Real ones have some hundred bytes.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxMessage = 1000;

/// One pending revision, as its file says it. The file's name is the revision's.
struct PendingRevision {
  std::string message;             ///< one line; becomes the entry's comment; may be empty
  std::vector<std::string> after;  ///< revisions that must stand before it
};

/// Reads a pending file; errors begin with `path:line:column`. Unknown keys, keys given twice,
/// anchors, several documents and names that are no C++ names are errors.
base::Result<PendingRevision> ParsePendingFile(std::string_view text, std::string_view path);

/// The text of a pending file. Same value, same bytes.
std::string FormatPendingFile(const PendingRevision& revision);

/// `src/master_version_list`: the list's path without its extension.
std::string Stem(const list::ListConfig& list);
/// `src/master_version_list.pending`: a file for each pending revision.
std::string Folder(const list::ListConfig& list);
/// `src/master_version_list.pending/SR_BOSS.yaml`.
std::string FilePath(const list::ListConfig& list, std::string_view name);
/// `src/master_version_list.pending.inc`: what the compiler sees of them; not in git.
std::string IncludePath(const list::ListConfig& list);

/// Its text keeps the folder in git when the last pending file is folded. Without it git takes the
/// emptied folder for a renamed one, and moves the files of other branches.
inline constexpr std::string_view kKeepName = ".gitignore";
std::string KeepText();

/// Other files of the folder are none of revctl's: hidden ones, and what editors write beside a
/// file.
bool IsIgnoredFile(std::string_view file_name);

/// `SR_BOSS` of `SR_BOSS.yaml`; empty where the file's name is no such one.
std::string NameOfFile(std::string_view file_name);

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
