#pragma once
#include <string>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/list/reading/list_config.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/session/session.h"

// Finds and reads a list without a repository or a target, for example in a source archive.
namespace revctl::commands {

struct ListSource {
  list::ListConfig config;
  std::string file;
  std::string root;  ///< folder of .revctl.yaml; empty if no .revctl.yaml names the list
};

/// Returns the list named with `--file`, or else the list of .revctl.yaml. A file that no
/// .revctl.yaml names is parsed with `--prefix` and `--enum`. Errors name `command`.
base::Result<ListSource> FindListSource(const Arguments& arguments, const Session& session,
                                        const std::string& command);

/// A folder with `.revctl.yaml`, in a repository or not.
struct ConfigFolder {
  std::string root;  ///< absolute
  config::Config config;
};

/// Returns the nearest folder with `.revctl.yaml`, from `folder` upwards. `folder` is relative to
/// the session's directory. Fails with Exit::Usage if there is none.
base::Result<ConfigFolder> OpenConfigFolder(const Session& session, const std::string& folder);

/// Reads and parses the list, including the pending revisions of pending files.
base::Result<list::RevisionList> ReadList(const ListSource& source);

/// Returns Exit::Usage if the list is a symbolic link or is reached through a link that leaves the
/// repository. Without a repository, `root` is the boundary.
base::Result<base::Done> RefuseOutside(const std::string& root, const list::ListConfig& list);

/// Returns `options` followed by `--file`, `--prefix` and `--enum`.
std::vector<Option> WithListSource(std::vector<Option> options);

}  // namespace revctl::commands
