#pragma once
#include <string>
#include <string_view>

#include "revctl/list/reading/list_config.h"

// Where the pending revisions of a list with `numbers: at-landing` stand. Paths are relative to the
// folder of .revctl.yaml, as `list.path` is.
namespace revctl::pending {

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

}  // namespace revctl::pending
