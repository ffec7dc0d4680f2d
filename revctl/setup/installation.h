#pragma once
#include <string>
#include <vector>

#include "revctl/setup/list_attributes.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// One thing that `install` sets up in a clone, and whether it is there.
struct Part {
  std::string what;  ///< "merge driver", ".gitattributes", "pre-commit hook"
  bool present = false;
  std::string note;  ///< why it cannot be set up, or what stands in its place
  std::string fix;   ///< where `revctl install` does not mend it: what does
};

/// The merge driver (local git config), the `.gitattributes` lines and the hooks of one clone.
class Installation {
 public:
  /// `program` is argv[0]: where `revctl` is not in PATH, its full name goes into the driver and
  /// the hooks.
  Installation(const Workspace& workspace, std::string program);

  /// `key=value` of the merge driver, for `git -c`: what a clone without `install` lacks.
  std::vector<std::string> DriverSettings() const {
    return {"merge.revctl.driver=" + DriverLine()};
  }
  base::Result<std::vector<Part>> Look() const;
  /// Sets up what is missing; what is there stays. Gives what was done, a line each.
  base::Result<std::vector<std::string>> Install() const;
  /// The hooks alone: after a change of what they are for.
  base::Result<std::vector<std::string>> InstallHooksAlone() const;
  /// Takes away exactly what Install added; a hook that was there before is back byte for byte.
  base::Result<std::vector<std::string>> Uninstall() const;

 private:
  struct Hook {
    std::string name, text;
    std::string sign;  ///< what stands in every hook that calls revctl for this
    std::string call;  ///< the line for a user's own hook, with git's arguments and input
  };
  std::string HookHead() const;
  std::vector<Hook> Hooks() const;
  std::string DriverLine() const;
  /// Takes away what killed commands left in git's folders.
  void RemoveLeft(const std::string& hooks) const;
  base::Result<base::Done> NoteBefore(const std::string& hooks) const;
  base::Result<base::Done> RestoreBefore(const std::string& hooks) const;
  base::Result<std::string> HooksFolder() const;
  /// Empty: ours to write into; else why not.
  std::string WhyNotHooks(const std::string& folder) const;
  base::Result<base::Done> InstallHook(const Hook& hook, const std::string& folder,
                                       std::vector<std::string>& done) const;
  base::Result<base::Done> UninstallHook(const std::string& name, const std::string& folder,
                                         std::vector<std::string>& done) const;

  const Workspace& workspace_;
  ListAttributes attributes_;
  std::string command_;  ///< how a shell calls this program
};

/// Says that this clone has no merge driver: once a day, not under CI, not with -q.
void SayWhereNotInstalled(const Workspace& workspace, Session& session);
/// Takes away the note of when that was said.
void ForgetNotice(const git::Repository& repository);

}  // namespace revctl::commands
