#include "revctl/session/project_command.h"

#include <vector>

#include "revctl/base/system/process.h"
#include "revctl/findings/printable.h"

namespace revctl::commands {
namespace {

/// Variables that tie git to one repository (`git rev-parse --local-env-vars`). They are removed
/// from the command's environment, so that git uses the repository of the current folder even if a
/// git hook started revctl.
const std::vector<std::string> kOfOneRepository = {"GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                   "GIT_CONFIG",
                                                   "GIT_CONFIG_PARAMETERS",
                                                   "GIT_CONFIG_COUNT",
                                                   "GIT_OBJECT_DIRECTORY",
                                                   "GIT_DIR",
                                                   "GIT_WORK_TREE",
                                                   "GIT_IMPLICIT_WORK_TREE",
                                                   "GIT_GRAFT_FILE",
                                                   "GIT_INDEX_FILE",
                                                   "GIT_NO_REPLACE_OBJECTS",
                                                   "GIT_REPLACE_REF_BASE",
                                                   "GIT_PREFIX",
                                                   "GIT_INTERNAL_SUPER_PREFIX",
                                                   "GIT_SHALLOW_FILE",
                                                   "GIT_COMMON_DIR",
                                                   "GIT_LITERAL_PATHSPECS",
                                                   "GIT_QUARANTINE_PATH",
                                                   "GIT_EDITOR",
                                                   "GIT_SEQUENCE_EDITOR"};

}  // namespace

config::ProjectRunner ProjectRunnerOf(Session& session) {
  return [&session](const std::string& folder, const config::ProjectLine& line) {
    session.Message(line.key + ": " + findings::Printable(line.line));
    base::ProcessOptions options;
    options.directory = folder;
    options.environment = kOfOneRepository;
    options.environment.insert(options.environment.end(), line.environment.begin(),
                               line.environment.end());
    // In CI, `record` runs only if a person has agreed: here by reviewing the target's command.
    if (line.key == "goldens") options.environment.push_back("REVCTL_GOLDENS=1");
    options.to_stderr = !session.quiet;
    return base::Run({"sh", "-c", line.line}, options);
  };
}

}  // namespace revctl::commands
