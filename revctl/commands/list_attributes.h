#pragma once
#include <string>
#include <vector>

#include "revctl/commands/workspace.h"

namespace revctl::commands {

/// The lines of `.gitattributes` that name the merge driver: what `install` adds for everybody, and
/// `uninstall` takes away. What one clone alone has noted is ListNames'. `workspace` must outlive
/// this.
class ListAttributes {
 public:
  explicit ListAttributes(const Workspace& workspace) : workspace_(workspace) {}

  /// Does .gitattributes, which is everybody's, name the driver for this list? What this clone
  /// alone has noted does not count.
  findings::Result<bool> Has(const list::ListConfig& list) const;
  findings::Result<findings::Done> Install(std::vector<std::string>& done) const;
  findings::Result<findings::Done> Uninstall(std::vector<std::string>& done) const;
  /// Names of lists, here and on every branch that is known here, into info/attributes; true where
  /// one was new.
  findings::Result<bool> NoteNames() const;
  /// The folders of all work trees of this clone; of a bare repository its own as well.
  findings::Result<std::vector<std::string>> WorkTrees() const;

 private:
  std::string File() const;
  std::string Line(const list::ListConfig& list) const;
  findings::Result<git::ProcessResult> AskWithoutNotes(
      const std::vector<std::string>& question) const;
  findings::Result<findings::Done> UninstallElsewhere(const std::vector<std::string>& lines,
                                                      std::vector<std::string>& done) const;

  const Workspace& workspace_;
};

/// `git config --local`, with what it says where it fails.
findings::Result<findings::Done> SetLocalConfig(const git::Repository& repository,
                                                std::vector<std::string> arguments);

}  // namespace revctl::commands
