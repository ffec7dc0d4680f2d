#pragma once
#include <string>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/cli/command.h"
#include "revctl/config/config.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/list/reading/revision_list.h"

// Finds and reads a list without a repository or a target, for example in a source archive.
namespace revctl::commands {

struct ListSource {
  list::ListConfig config;
  std::string file;
  std::string root;  ///< folder of .revctl.yaml; empty if no .revctl.yaml names the list
};

/// Command-line options that determine where to look for a list.
struct ListSearch {
  std::string directory;  ///< value of -C
  std::string list;       ///< value of --list; empty for the first list
  std::string command;    ///< name of the command, for error messages
};

/// Returns the list that `--file` names, or otherwise the list in .revctl.yaml. If no .revctl.yaml
/// names the file, it is parsed with `--prefix` and `--enum`.
base::Result<ListSource> FindListSource(const cli::Arguments& arguments, const ListSearch& search);

/// A folder with a `.revctl.yaml`, inside or outside a repository.
struct ConfigFolder {
  std::string root;  ///< absolute path
  config::Config config;
};

/// Returns the nearest folder with a `.revctl.yaml`, starting at `folder` and going up. `folder` is
/// relative to `directory`. Fails with Exit::Usage if there is none.
base::Result<ConfigFolder> OpenConfigFolder(const std::string& directory,
                                            const std::string& folder);

/// Reads and parses the list, and adds the revisions of its pending files.
base::Result<list::RevisionList> ReadList(const ListSource& source);

/// Fails with Exit::Usage if the list is a symbolic link, or is reached through a link that leads
/// out of the repository. Without a repository, the link must not lead out of `root`.
base::Result<base::Done> RefuseOutside(const std::string& root, const list::ListConfig& list);

/// Returns `options` with `--file`, `--prefix` and `--enum` added.
std::vector<cli::Option> WithListSource(std::vector<cli::Option> options);

}  // namespace revctl::commands
