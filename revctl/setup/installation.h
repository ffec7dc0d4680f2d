#pragma once
#include <functional>
#include <string>
#include <vector>

#include "revctl/setup/list_attributes.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// A part that `install` sets up in a clone, and whether it is present.
struct Part {
  std::string what;
  bool present = false;
  std::string note;  ///< why `install` cannot set up the part, or what is there instead; may be
                     ///< empty
  std::string fix;   ///< the command that sets up the part; empty if it is `revctl install`
};

/// The parts of revctl that are installed in a clone: the merge driver (local git config), the
/// `.gitattributes` lines and the hooks. In files that may also contain the user's own lines,
/// revctl's lines are in a marked block (marked_block.h).
class Installation {
 public:
  /// `program` is argv[0]. The driver and the hooks call the program by its full path if the shell
  /// does not find it as `revctl`.
  Installation(const Workspace& workspace, std::string program);

  /// Returns the `key=value` argument of `git -c` that sets the merge driver, for clones in which
  /// `install` has not run.
  std::string DriverSetting() const { return "merge.revctl.driver=" + DriverLine(); }
  base::Result<std::vector<Part>> Look() const;
  /// Sets up all missing parts. Returns a line for each change.
  base::Result<std::vector<std::string>> Install() const;
  /// If `install` has run in this clone, updates the hooks to match the current config. Returns a
  /// line for each change.
  base::Result<std::vector<std::string>> UpdateHooks() const;
  /// Removes everything that Install added. Returns a line for each change.
  base::Result<std::vector<std::string>> Uninstall() const;

 private:
  struct Hook {
    std::string name;
    std::string lines;  ///< revctl's block in the hook
    std::string sign;   ///< text that identifies this call to revctl in any hook
    std::string call;   ///< line that the user can add to a hook that `install` must not edit
  };
  struct HookFile {
    std::string path, text;
    std::string why_not;  ///< why `install` must not edit the hook; "" if it may
    bool installed = false;
  };
  std::vector<Hook> Hooks() const;
  std::string DriverLine() const;
  base::Result<std::string> HooksFolder() const;
  std::string WhyNotHooks(const std::string& folder) const;
  base::Result<HookFile> ReadHook(const Hook& hook, const std::string& folder) const;
  base::Result<base::Done> InstallHooks(const std::string& folder,
                                        std::vector<std::string>& done) const;

  const Workspace& workspace_;
  ListAttributes attributes_;
  std::string command_;  ///< the name or path that a shell uses to call this program
};

/// Returns a function that returns a notice at most once every 24 hours, and "" otherwise. The
/// function is empty if this clone has a merge driver or if revctl runs in CI.
std::function<std::string()> NotInstalledNotice(const Workspace& workspace);

}  // namespace revctl::commands
