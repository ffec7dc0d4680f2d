#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/pending/plan.h"

namespace revctl::pending {

/// Size limit of a pending file. Real files are only a few hundred bytes long.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxMessage = 1000;

/// The content of a pending file. The file name contains the name of the revision.
struct PendingRevision {
  std::string message;             ///< one line, which becomes the entry's comment; may be empty
  std::vector<std::string> after;  ///< revisions that must precede this revision
};

/// Parses a pending file. Errors begin with `path:line:column`. Rejects unknown and duplicate keys,
/// anchors, a second document, and names that are not C++ identifiers.
base::Result<PendingRevision> ParsePendingFile(std::string_view text, std::string_view path);

/// Returns the text of a pending file. Equal values yield equal bytes.
std::string FormatPendingFile(const PendingRevision& revision);

/// Returns the folder with one file per pending revision, such as
/// `src/master_version_list.pending`.
std::string Folder(const list::ListConfig& list);
/// Returns the path of a pending revision's file, such as
/// `src/master_version_list.pending/SR_BOSS.yaml`.
std::string FilePath(const list::ListConfig& list, std::string_view name);
/// Returns the path of the untracked file that the list includes, such as
/// `src/master_version_list.pending.inc`.
std::string IncludePath(const list::ListConfig& list);

/// A file that keeps the folder in git after a fold has removed the last pending file. Without it,
/// git would treat the emptied folder as renamed and move the files of other branches.
inline constexpr std::string_view kKeepName = ".gitignore";
std::string KeepText();

/// True for hidden files and for backup files of editors, which are not pending files.
bool IsIgnoredFile(std::string_view file_name);

/// Returns `SR_BOSS` for `SR_BOSS.yaml`, or "" if the file name does not have this form.
std::string NameOfFile(std::string_view file_name);

/// Reads the files in `folder` on disk, sorted by name. Returns no files if the folder does not
/// exist. Sets `unreadable` for links, folders and large files. Fails if the folder itself is a
/// link, cannot be read, or has more than kMostFiles files.
base::Result<std::vector<PendingText>> ReadFolder(const std::string& folder,
                                                  const std::string& shown);

/// Writes `text` to `path` unless the file already has this content. Returns true if it wrote the
/// file. Fails if `path` is a link.
base::Result<bool> WriteIfChanged(const std::string& path, const std::string& shown,
                                  const std::string& text);

/// Returns the error for a folder with too many files.
base::Error TooMany(const std::string& shown);

}  // namespace revctl::pending
