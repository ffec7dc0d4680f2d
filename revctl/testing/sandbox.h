#pragma once
#include <string>
#include <vector>

#include "revctl/git/process.h"

namespace revctl::testing {

/// A throwaway folder with its own HOME, git configuration and PATH, so that nothing of the machine's owner is read or written.
/// Everything in it is real: real repositories, real processes. Removed at the end.
class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  const std::string& root() const { return root_; }
  std::string Path(const std::string& name) const { return root_ + "/" + name; }

  /// Runs a program in `directory` (relative to the sandbox); `environment` on top of the sandbox's.
  git::ProcessResult Run(const std::string& directory, const std::vector<std::string>& argv,
                         const std::vector<std::string>& environment = {}, const std::string& input = "") const;
  git::ProcessResult TryGit(const std::string& directory, std::vector<std::string> arguments,
                            const std::vector<std::string>& environment = {}) const;
  /// git that must succeed; gives stdout without its last newline. Throws with what git said otherwise.
  std::string Git(const std::string& directory, std::vector<std::string> arguments) const;
  /// The program under test.
  git::ProcessResult Revctl(const std::string& directory, std::vector<std::string> arguments,
                            const std::vector<std::string>& environment = {}, const std::string& input = "") const;

  void Write(const std::string& file, const std::string& text) const;
  std::string Read(const std::string& file) const;
  bool Exists(const std::string& file) const;
  /// Every file under `folder` with its bytes, without the inside of `.git`: to see that nothing changed.
  std::string Snapshot(const std::string& folder) const;

  /// A new repository on branch main, whose owner is `person` (person@studio.example).
  void NewRepository(const std::string& directory, const std::string& person) const;
  void Clone(const std::string& url, const std::string& directory, const std::string& person) const;
  void CommitAll(const std::string& directory, const std::string& message) const;

  std::vector<std::string> Environment() const;

 private:
  std::string root_;
};

/// A real `git daemon` on a free loopback port that serves the repositories under a folder; killed at the end.
class GitDaemon {
 public:
  enum class Access { ReadWrite, ReadOnly };
  GitDaemon(const Sandbox& sandbox, const std::string& base, Access access = Access::ReadWrite);
  ~GitDaemon();
  GitDaemon(const GitDaemon&) = delete;
  GitDaemon& operator=(const GitDaemon&) = delete;

  std::string Url(const std::string& repository) const { return "git://127.0.0.1:" + std::to_string(port_) + "/" + repository; }

 private:
  int port_ = 0;
  int child_ = -1;
};

/// A TCP port of the loopback that nobody listens on.
int FreePort();

}  // namespace revctl::testing
