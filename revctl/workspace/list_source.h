#pragma once
#include <string>
#include <vector>

#include "revctl/list/reading/list_config.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/session/session.h"

// The list of commands that need neither a repository nor a target: a source archive builds, too.
namespace revctl::commands {

struct ListSource {
  list::ListConfig config;
  std::string file;
  std::string root;  ///< the folder of .revctl.yaml; empty where none knows the list
};

/// The list that `--file` names, or that .revctl.yaml does; with `--prefix` and `--enum` where no
/// .revctl.yaml knows it. `command` is what the user called, for errors.
base::Result<ListSource> FindListSource(const Arguments& arguments, const Session& session,
                                        const std::string& command);

/// Reads and parses it, with the pending revisions that stand in files of their own.
base::Result<list::RevisionList> ReadList(const ListSource& source);

/// Exit::Usage where the list of a .revctl.yaml in `root` is a link, or lies behind one that leads
/// out of the repository; of a source archive, out of `root`.
base::Result<base::Done> RefuseOutside(const std::string& root, const list::ListConfig& list);

/// `options`, and `--file`, `--prefix`, `--enum` behind them.
std::vector<Option> WithListSource(std::vector<Option> options);

}  // namespace revctl::commands
