#pragma once
#include <string>
#include <vector>

#include "revctl/base/system/process.h"
#include "revctl/git/process.h"

namespace revctl::testing {

const std::string& ProgramPath();

/// A temporary folder with its own HOME, git configuration and PATH, so that tests neither read nor
/// change the user's files. Repositories and processes in it are real. The destructor deletes the
/// folder.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  const std::string& root() const { return root_; }
  std::string Path(const std::string& name) const { return root_ + "/" + name; }

  /// Runs a program in `directory`, which is relative to the sandbox, with `environment` added to
  /// the sandbox's variables.
  base::ProcessResult Run(const std::string& directory, const std::vector<std::string>& argv,
                          const std::vector<std::string>& environment = {},
                          const std::string& input = "") const;
  base::ProcessResult TryGit(const std::string& directory, std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {}) const;
  /// Runs git and returns its stdout without the final newline. If git fails, throws an error with
  /// its output.
  std::string Git(const std::string& directory, std::vector<std::string> arguments) const;
  base::ProcessResult Revctl(const std::string& directory, std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {},
                             const std::string& input = "") const;

  void Write(const std::string& file, const std::string& text) const;
  void WriteExecutable(const std::string& path, const std::string& text) const;
  std::string Read(const std::string& file) const;
  bool Exists(const std::string& file) const;
  /// Returns the paths and contents of all files under `folder` except in `.git`. Tests compare two
  /// snapshots to check that no file has changed.
  std::string Snapshot(const std::string& folder) const;

  void CopyFolder(const Sandbox& other, const std::string& folder) const;
  /// Changes remote.origin.url directly in the config file, which is faster than running git.
  void MoveOrigin(const std::string& directory, const std::string& from,
                  const std::string& to) const;

  /// Creates a repository on branch main, with `person` (person@studio.example) as its git user.
  void NewRepository(const std::string& directory, const std::string& person) const;
  void Clone(const std::string& url, const std::string& directory, const std::string& person) const;
  void CommitAll(const std::string& directory, const std::string& message) const;

  std::vector<std::string> Environment() const;

 private:
  /// Appends user.name and user.email to the config file, which is faster than running git.
  void SetOwner(const std::string& directory, const std::string& person) const;

  std::string root_;
};

}  // namespace revctl::testing
