#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "revctl/base/system/process.h"
#include "revctl/git/repository.h"
#include "tests/support/branch_order.h"
#include "tests/support/sandbox.h"

namespace revctl::testing {

/// Thrown if a history violates an invariant. The message names the invariant.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The server with its hook, and the clones. Ann, Bob and Eve have installed revctl; Dan has not.
/// Logs every command, so that a shell can replay the history.
class World {
 public:
  static constexpr const char* kList = "src/master_version_list.h";
  static constexpr const char* kServer = "srv/game.git";
  static const std::vector<std::string>& People();
  /// A shell script that stands in for `record`. It writes records of invented types for the list
  /// in the work tree.
  static const char* const kRecord;
  static bool HasDriver(const std::string& person) { return person != "dan"; }

  World();

  base::ProcessResult TryGit(const std::string& person, std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {});
  /// Runs git. Throws Broken if git fails, because a user would have to resolve the failure by
  /// hand.
  void Git(const std::string& person, std::vector<std::string> arguments,
           const std::vector<std::string>& environment = {});
  base::ProcessResult Revctl(const std::string& person, std::vector<std::string> arguments);
  /// Runs a printed command in a shell. Throws Broken if it fails.
  void Shell(const std::string& person, const std::string& line);
  /// Runs `revctl fix` and returns its output. Throws Broken if it fails, or if it leaves anything
  /// to do other than a merge with the target (RV017), a back-port (RV018) or goldens to record
  /// (RV020, RV028).
  std::string Fix(const std::string& person);
  void Write(const std::string& person, const std::string& file, const std::string& text);
  std::string Read(const std::string& person, const std::string& file) const;
  /// Adds a comment to the replay script.
  void Say(const std::string& what);

  /// Returns the list in the work tree. Throws Broken if it is unreadable.
  Entries ListOf(const std::string& person) const;
  /// Returns the list at a commit, which is empty if it is missing or unreadable.
  Entries ListAt(const std::string& repository, const git::Oid& commit) const;
  /// Returns a file at a commit, or "" if it is missing.
  std::string FileAt(const std::string& repository, const git::Oid& commit,
                     const std::string& file) const;
  /// Returns the compiler's errors for the list and the code at a commit on the server, or "" if
  /// they compile.
  std::string BuildErrors(const git::Oid& commit) const;
  const Sandbox& sandbox() const { return sandbox_; }

  /// The following functions read a repository without starting a process.
  git::Oid Tip(const std::string& repository, const std::string& what) const;
  bool IsAncestor(const std::string& repository, const git::Oid& old, const git::Oid& young) const;
  git::CommitInfo Commit(const std::string& repository, const git::Oid& id) const;
  /// Returns the commits of `tip` that are missing from `upstream`, newest first.
  std::vector<git::CommitInfo> Own(const std::string& repository, const git::Oid& tip,
                                   const git::Oid& upstream) const;

  /// Returns a script for `sh` that creates the scene and repeats all commands so far.
  std::string Script() const;
  std::string ServerHook() const;

 private:
  std::unique_ptr<git::Repository> Open(const std::string& repository) const;
  base::ProcessResult Run(const std::string& person, const std::vector<std::string>& argv,
                          std::vector<std::string> environment);

  Sandbox sandbox_;
  std::string script_;
  int clock_ = 0;
};

}  // namespace revctl::testing
