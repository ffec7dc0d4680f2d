#pragma once
#include <map>
#include <string>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/workspace/workspace.h"

namespace revctl::commands {

/// The lines of `.gitattributes` that name the merge driver: what `install` adds for everybody, and
/// `uninstall` takes away. Those of goldens stand in the golden folder's own file, since it says
/// there already what payloads are, and the nearest file wins. What one clone alone has noted is
/// ListNames'. `workspace` must outlive this.
class ListAttributes {
 public:
  explicit ListAttributes(const Workspace& workspace) : workspace_(workspace) {}

  /// Does .gitattributes, which is everybody's, name the driver for this list? What this clone
  /// alone has noted does not count.
  base::Result<bool> Has(const list::ListConfig& list) const;
  /// The lines that the list's goldens want; none while there are no goldens: `record` brings them.
  base::Result<std::vector<std::string>> MissingForGoldens(const list::ListConfig& list) const;
  base::Result<base::Done> Install(std::vector<std::string>& done) const;
  base::Result<base::Done> Uninstall(std::vector<std::string>& done) const;
  /// Names of lists, here and on every branch that is known here, into info/attributes; true where
  /// one was new.
  base::Result<bool> NoteNames() const;
  /// The folders of all work trees of this clone; of a bare repository its own as well.
  base::Result<std::vector<std::string>> WorkTrees() const;

 private:
  /// A file of attributes and its lines; both as `git config` keeps them.
  using Lines = std::map<std::string, std::vector<std::string>>;
  std::string FilePath(const std::string& file) const;
  std::string Line(const list::ListConfig& list) const;
  base::Result<base::Done> Add(const std::string& file, const std::string& line,
                               std::vector<std::string>& done) const;
  base::Result<Lines> Added() const;
  base::Result<base::ProcessResult> AskWithoutNotes(const std::vector<std::string>& question) const;
  base::Result<base::Done> UninstallHere(const std::string& file,
                                         const std::vector<std::string>& lines,
                                         std::vector<std::string>& done) const;
  base::Result<base::Done> UninstallElsewhere(const std::string& name,
                                              const std::vector<std::string>& lines,
                                              std::vector<std::string>& done) const;

  const Workspace& workspace_;
};

/// `git config --local`, with what it says where it fails.
base::Result<base::Done> SetLocalConfig(const git::Repository& repository,
                                        std::vector<std::string> arguments);

}  // namespace revctl::commands
