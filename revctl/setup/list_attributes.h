#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Returns a .gitattributes pattern that matches `path` and no other file.
std::string AttributePattern(const std::string& path);

/// The lines of `.gitattributes` that select the merge driver. The lines for goldens are in the
/// golden folder's `.gitattributes`, because that file already contains lines for payloads, and git
/// prefers the nearest file. `workspace` must outlive this object.
class ListAttributes {
 public:
  explicit ListAttributes(const Workspace& workspace) : workspace_(workspace) {}

  /// True if git's attributes assign the merge driver to this list.
  base::Result<bool> Has(const list::ListConfig& list) const;
  /// Returns the missing lines for the list's goldens. Returns nothing while there are no goldens,
  /// because `record` writes the lines together with the first golden.
  base::Result<std::vector<std::string>> MissingForGoldens(const list::ListConfig& list) const;
  base::Result<base::Done> Install(std::vector<std::string>& done) const;
  /// Removes the lines that are not committed. Removing committed lines would take the driver away
  /// from the whole team. Appends a line to `done` for each change.
  base::Result<base::Done> Uninstall(std::vector<std::string>& done) const;

 private:
  base::Result<base::Done> Add(const std::string& file, const std::string& line,
                               std::vector<std::string>& done) const;
  base::Result<base::Done> Remove(const std::string& file, std::vector<std::string>& done) const;
  std::string FilePath(const std::string& file) const {
    return workspace_.repository().root() + "/" + file;
  }

  const Workspace& workspace_;
};

}  // namespace revctl::commands
