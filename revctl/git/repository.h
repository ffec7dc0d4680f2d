#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/git/process.h"

namespace revctl::git {

/// Full hex id of an object (40 digits, 64 in a sha256 repository).
using Oid = std::string;
/// Limit on the size of a file or a list of paths that is read from a commit. Without a limit, any
/// client could push a huge file that compresses well, or nine objects with a hundred million
/// paths.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 20;

/// True for an all-zero id, which git writes for a missing object or ref.
inline bool IsNull(std::string_view id) {
  return id.find_first_not_of('0') == std::string_view::npos;
}

struct Person {
  std::string name, email;
  std::string Text() const { return name + " <" + email + ">"; }
};

struct CommitInfo {
  Oid id;
  std::vector<Oid> parents;
  Person author, committer;
  std::int64_t time = 0;  ///< the author's time, in seconds since 1970
  std::string message;
};

struct TreeFile {
  std::string path;  ///< relative to the listed folder
  Oid id;
};

/// A file that differs from a commit. The status is 'M', 'T' (type changed), 'D' (deleted) or 'U'
/// (unmerged).
struct FileChange {
  std::string path;  ///< relative to the repository's root
  char status = 'M';
};

struct NewCommit {
  std::map<std::string, std::string> files;  ///< content by file name; the tree has no folders
  std::optional<Oid> parent;
  Person author;
  std::string message;
};

/// A repository. Ids are hex strings, and paths are relative to the repository's root. Lookups
/// return nullopt if nothing is found, and an Error only if the repository cannot be read.
class Repository {
 public:
  virtual ~Repository() = default;

  const std::string& root() const {
    return root_;
  }  ///< absolute path of the work tree without a final '/'; empty in a bare repository
  const std::string& git_dir() const { return git_dir_; }  ///< absolute path without a final '/'
  const std::string& common_dir() const { return common_dir_; }  ///< shared by all work trees
  bool bare() const { return root_.empty(); }

  /// Returns the commit that a full ref name points to.
  virtual base::Result<std::optional<Oid>> Resolve(std::string_view ref) const = 0;
  /// Returns the commit for anything that git accepts as a revision (`HEAD~2`, `origin/main`, a hex
  /// id).
  virtual base::Result<std::optional<Oid>> RevParse(std::string_view what) const = 0;
  virtual base::Result<std::vector<std::pair<std::string, Oid>>> Refs(
      std::string_view prefix) const = 0;
  /// Returns a file's content. Fails if the file is larger than kMostBytes.
  virtual base::Result<std::optional<std::string>> ReadFile(const Oid& commit,
                                                            std::string_view path) const = 0;
  /// Returns the size of a file in bytes without reading it, or nullopt if there is no such file.
  virtual base::Result<std::optional<std::uint64_t>> SizeOf(const Oid& commit,
                                                            std::string_view path) const = 0;
  static base::Error TooLarge(std::string_view path, std::string_view commit, std::uint64_t bytes);
  /// Returns all files under `folder` and its subfolders, sorted by path. "" is the root.
  virtual base::Result<std::vector<TreeFile>> ListFiles(const Oid& commit,
                                                        std::string_view folder) const = 0;
  /// Returns the mode of the file, folder (040000) or submodule (0160000) at `path`, or nullopt.
  virtual base::Result<std::optional<std::uint32_t>> ModeOf(const Oid& commit,
                                                            std::string_view path) const = 0;
  /// A file that FilesNamed() found, and a commit that contains it.
  struct Found {
    TreeFile file;
    Oid commit;
  };
  using WantedName = std::function<bool(std::string_view name)>;
  /// Returns the files in any folder of `commits` whose name satisfies `wanted`. Returns each
  /// combination of path and content only once. Fails if there are more than 10,000 combinations.
  virtual base::Result<std::vector<Found>> FilesNamed(const std::vector<Oid>& commits,
                                                      const WantedName& wanted) const = 0;
  /// Fails if the commit's paths exceed kMostBytes bytes in total.
  virtual base::Result<base::Done> CheckPaths(const Oid& commit) const = 0;
  static base::Error TooManyPaths(std::string_view commit);
  virtual base::Result<CommitInfo> ReadCommit(const Oid& id) const = 0;
  virtual base::Result<std::optional<Oid>> MergeBase(const Oid& one, const Oid& two) const = 0;
  /// True if `old` is `young` or one of its ancestors.
  virtual base::Result<bool> IsAncestor(const Oid& old, const Oid& young) const = 0;
  /// A commit and its parents.
  struct CommitParents {
    Oid id;
    std::vector<Oid> parents;
  };
  /// Returns the commits that are reachable from `tip` but not from `known`, in no particular
  /// order.
  virtual base::Result<std::vector<CommitParents>> CommitsSince(const Oid& known,
                                                                const Oid& tip) const = 0;
  virtual base::Result<std::optional<std::string>> ConfigValue(const std::string& key) const = 0;
  /// Returns the branch that HEAD is on, even if the branch is unborn, or nullopt if HEAD is
  /// detached.
  virtual base::Result<std::optional<std::string>> HeadBranch() const = 0;
  virtual base::Result<Oid> WriteCommit(const NewCommit& commit) = 0;
  /// Moves `ref` from `old` (nullopt if it must not exist yet) to `id`. Returns false if `ref` is
  /// not at `old`.
  virtual base::Result<bool> UpdateRef(const std::string& ref, const Oid& id,
                                       const std::optional<Oid>& old) = 0;
  virtual base::Result<base::Done> DeleteRef(const std::string& ref) = 0;
  /// Returns `bytes` as git would store them for `path`, after filters and line ending conversion.
  /// BlobId() returns the id of a blob with these bytes.
  virtual base::Result<std::string> Normalized(const std::string& path,
                                               const std::string& bytes) const = 0;
  virtual base::Result<Oid> BlobId(const std::string& bytes) const = 0;

  base::Result<std::optional<Oid>> Head() const { return RevParse("HEAD"); }

  /// Returns the staged content of `path`, or nullopt if the file is missing from the index or in
  /// conflict.
  virtual base::Result<std::optional<std::string>> ReadStaged(const std::string& path) const;
  /// True if `path` is in the index but outside a sparse checkout. Such a file is neither missing
  /// nor changed.
  virtual bool OutsideSparseCheckout(const std::string& path) const;
  /// Returns whether git ignores `path` in the work tree, or nullopt if only git itself can
  /// determine this.
  virtual base::Result<std::optional<bool>> IsIgnored(const std::string& path) const;
  /// Returns the files under `folder` of commit `from` that differ in the index (`staged`) or in
  /// the work tree. A work tree file with 'M' may differ only in its time stamp. Returns nullopt if
  /// only git itself can determine the changes.
  virtual base::Result<std::optional<std::vector<FileChange>>> ChangesHere(
      const Oid& from, const std::string& folder, bool staged) const;
  base::Result<bool> IsShallow() const;
  /// Returns the user's identity, or an error with the `git config` lines that set it.
  base::Result<Person> Identity() const;

 protected:
  friend class Command;
  base::Result<ProcessResult> Git(std::vector<std::string> arguments,
                                  ProcessOptions options = {}) const;
  base::Result<ProcessResult> GitWithHooks(std::vector<std::string> arguments) const;
  /// Implements ConfigValue() with a git process, which reads all configuration.
  base::Result<std::optional<std::string>> ConfigOfGit(const std::string& key) const;
  /// Implements MergeBase() and IsAncestor() with git processes, which handle shallow clones.
  base::Result<std::optional<Oid>> MergeBaseOfGit(const Oid& one, const Oid& two) const;
  base::Result<bool> AncestorOfGit(const Oid& old, const Oid& young) const;
  /// Implements CommitsSince() with a git process, which handles shallow clones.
  base::Result<std::vector<CommitParents>> CommitsSinceOfGit(const Oid& known,
                                                             const Oid& tip) const;
  /// Implements ReadCommit() with a git process, which converts the text to UTF-8.
  base::Result<CommitInfo> CommitOfGit(const Oid& id) const;

  std::string root_, git_dir_, common_dir_;

 private:
  ProcessOptions Here(ProcessOptions options) const;
  /// Returns the identity that git would use, or nullopt if it has none.
  base::Result<std::optional<Person>> IdentityOfGit() const;
  /// Returns the identity in the configuration, or nullopt if only git itself can determine it.
  base::Result<std::optional<Person>> IdentityOfConfig() const;

  mutable std::optional<Person> identity_;  ///< cached result of Identity()
};

/// Opens the repository that contains `directory`, with libgit2 if possible. Honors GIT_DIR like
/// git. Fails with Exit::Environment if there is no repository.
base::Result<std::unique_ptr<Repository>> OpenRepository(const std::string& directory);

/// The two implementations, for tests that compare them. OpenWithLibgit2() returns NotOpened if
/// libgit2 cannot read the repository, although git may be able to.
struct NotOpened {
  std::string reason;
};
std::variant<std::unique_ptr<Repository>, NotOpened> OpenWithLibgit2(const std::string& directory);
base::Result<std::unique_ptr<Repository>> OpenWithGit(const std::string& directory);

/// Keeps libgit2 initialized during its lifetime. Create one such object in main and in each test
/// program.
class Library {
 public:
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

}  // namespace revctl::git
