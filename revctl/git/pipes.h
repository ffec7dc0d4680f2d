#pragma once
#include <optional>
#include <string>

#include "revctl/base/result.h"

namespace revctl::git {

// git and libgit2 wait for ever for the other end of a pipe in the place of a file that they read
// by its name. No commit holds a pipe, but a work tree may.

enum class ReadByName { Attributes, Ignored };

/// Such a file of attributes, or of patterns to ignore, in `common_dir`/info, in `root` or a folder
/// on the way to `path`; nullopt: none.
std::optional<base::Error> PipeOnTheWay(const std::string& root, const std::string& common_dir,
                                        const std::string& path,
                                        ReadByName which = ReadByName::Attributes);

/// Such a file anywhere in the work tree `root`, or in `common_dir`/info. Reads all of its folders.
std::optional<base::Error> PipeIn(const std::string& root, const std::string& common_dir);

/// Such a file that git and libgit2 read wherever they open the repository around `directory`:
/// configuration, what it includes or names, and what the repository's own folder holds.
std::optional<base::Error> PipeBeforeOpening(const std::string& directory);

}  // namespace revctl::git
