#pragma once
#include <string>
#include <vector>

#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// Returns `path` as a pattern of .gitattributes that matches it alone.
std::string AttributePattern(const std::string& path);

/// The lines of `.gitattributes` that name the merge driver. The lines for goldens are in the
/// golden folder's own file: that file already has lines for payloads, and for git the nearest file
/// wins. `workspace` must outlive this object.
class ListAttributes {
 public:
  explicit ListAttributes(const Workspace& workspace) : workspace_(workspace) {}

  /// True if git's attributes name the driver for this list.
  base::Result<bool> Has(const list::ListConfig& list) const;
  /// Returns the lines that the list's goldens need and lack. While there are no goldens, nothing
  /// is missing: `record` writes the lines with the first golden.
  base::Result<std::vector<std::string>> MissingForGoldens(const list::ListConfig& list) const;
  base::Result<base::Done> Install(std::vector<std::string>& done) const;
  /// Leaves a block that has been committed, because without it the whole team loses the driver.
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
