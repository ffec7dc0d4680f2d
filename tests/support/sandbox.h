#pragma once
#include <string>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/git/process.h"

namespace revctl::testing {

/// The program under test: where it lies.
const std::string& ProgramPath();

/// A throwaway folder with its own HOME, git configuration and PATH, so that nothing of the
/// machine's owner is read or written. Everything in it is real: real repositories, real processes.
/// Removed at the end.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  const std::string& root() const { return root_; }
  std::string Path(const std::string& name) const { return root_ + "/" + name; }

  /// Runs a program in `directory` (relative to the sandbox); `environment` on top of the
  /// sandbox's.
  base::ProcessResult Run(const std::string& directory, const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment = {},
                          const std::string& input = "") const;
  base::ProcessResult TryGit(const std::string& directory, std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {}) const;
  /// git that must succeed; gives stdout without its last newline. Throws with what git said
  /// otherwise.
  std::string Git(const std::string& directory, std::vector<std::string> arguments) const;
  /// The program under test.
  base::ProcessResult Revctl(const std::string& directory, std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {},
                             const std::string& input = "") const;

  void Write(const std::string& file, const std::string& text) const;
  /// Writes a file that may be run: a hook, a stand-in for a program.
  void WriteExecutable(const std::string& path, const std::string& text) const;
  std::string Read(const std::string& file) const;
  bool Exists(const std::string& file) const;
  /// Every file under `folder` with its bytes, without the inside of `.git`: to see that nothing
  /// changed.
  std::string Snapshot(const std::string& folder) const;

  /// Copies `folder` of another sandbox to the same place here.
  void CopyFolder(const Sandbox& other, const std::string& folder) const;
  /// What `git config remote.origin.url` does, without its process.
  void MoveOrigin(const std::string& directory, const std::string& from,
                  const std::string& to) const;

  /// A new repository on branch main, whose owner is `person` (person@studio.example).
  void NewRepository(const std::string& directory, const std::string& person) const;
  void Clone(const std::string& url, const std::string& directory, const std::string& person) const;
  void CommitAll(const std::string& directory, const std::string& message) const;

  std::vector<std::string> Environment() const;

 private:
  /// Says who commits, as `git config` would, which is a process each time.
  void SetOwner(const std::string& directory, const std::string& person) const;

  std::string root_;
};

}  // namespace revctl::testing
