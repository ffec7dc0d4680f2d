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
  std::string note;  ///< why install cannot set it up, or what exists in its place
  std::string fix;   ///< the command that sets it up, if `revctl install` does not
};

/// The merge driver (local git config), the `.gitattributes` lines and the hooks of one clone. In
/// files that may also contain the user's own lines, revctl's lines are in a marked block
/// (marked_block.h).
class Installation {
 public:
  /// `program` is argv[0]. If the shell does not find this program as `revctl`, the driver and the
  /// hooks call it by its full name.
  Installation(const Workspace& workspace, std::string program);

  /// Returns `key=value` of the merge driver for `git -c`, for clones without `install`.
  std::string DriverSetting() const { return "merge.revctl.driver=" + DriverLine(); }
  base::Result<std::vector<Part>> Look() const;
  /// Sets up all missing parts. Returns a line for each change.
  base::Result<std::vector<std::string>> Install() const;
  /// Updates the hooks of a clone that has been set up, after its config requires other hooks.
  base::Result<std::vector<std::string>> UpdateHooks() const;
  /// Removes everything that Install added. Returns a line for each change.
  base::Result<std::vector<std::string>> Uninstall() const;

 private:
  struct Hook {
    std::string name;
    std::string lines;  ///< the block in the hook
    std::string sign;   ///< appears in every hook that calls revctl for this
    std::string call;   ///< the line for a hook that install must not edit
  };
  struct HookFile {
    std::string path, text;
    std::string why_not;  ///< why install must not edit it; "" if it may
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
  std::string command_;  ///< how a shell calls this program
};

/// Returns a function that returns a notice at most once a day; an empty function if this clone has
/// a merge driver or belongs to CI.
std::function<std::string()> NotInstalledNotice(const Workspace& workspace);

}  // namespace revctl::commands
