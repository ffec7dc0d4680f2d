#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "revctl/base/process.h"
#include "revctl/git/repository.h"
#include "tests/support/branch_order.h"
#include "tests/support/sandbox.h"

namespace revctl::testing {

/// A history did what none may do. The message says what was seen.
struct Broken : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The server with its hook, and the clones. Ann, Bob and Eve have installed revctl; Dan has not.
/// Notes every command, so that a shell can play the history again.
class World {
 public:
  static constexpr const char* kList = "src/master_version_list.h";
  static constexpr const char* kServer = "srv/game.git";
  static const std::vector<std::string>& People();
  /// Writes records of made-up types as `record` does, by the list in the work tree.
  static const char* const kRecord;
  static bool HasDriver(const std::string& person) { return person != "dan"; }

  World();

  base::ProcessResult TryGit(const std::string& person, std::vector<std::string> arguments,
                             const std::vector<std::string>& environment = {});
  /// Broken where git fails: it would have needed a human.
  void Git(const std::string& person, std::vector<std::string> arguments,
           const std::vector<std::string>& environment = {});
  base::ProcessResult Revctl(const std::string& person, std::vector<std::string> arguments);
  /// A line as a person types it: a printed command. Broken where it fails.
  void Shell(const std::string& person, const std::string& line);
  void Write(const std::string& person, const std::string& file, const std::string& text);
  std::string Read(const std::string& person, const std::string& file) const;
  /// A comment in the script.
  void Say(const std::string& what);

  /// The list in the work tree; Broken where it cannot be read.
  Entries ListOf(const std::string& person) const;
  /// The list of a commit; empty where it has none that can be read.
  Entries ListAt(const std::string& repository, const git::Oid& commit) const;
  /// A file of a commit; empty where it has none.
  std::string FileAt(const std::string& repository, const git::Oid& commit,
                     const std::string& file) const;
  /// What a compiler says of the list and the code of a commit on the server; empty: they build.
  std::string BuildErrors(const git::Oid& commit) const;
  const Sandbox& sandbox() const { return sandbox_; }

  /// What git knows, read without a process.
  git::Oid Tip(const std::string& repository, const std::string& what) const;
  bool IsAncestor(const std::string& repository, const git::Oid& old, const git::Oid& young) const;
  git::CommitInfo Commit(const std::string& repository, const git::Oid& id) const;
  /// Commits that `tip` has and `upstream` lacks, newest first.
  std::vector<git::CommitInfo> Own(const std::string& repository, const git::Oid& tip,
                                   const git::Oid& upstream) const;

  /// The scene and every command so far, for `sh`.
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
