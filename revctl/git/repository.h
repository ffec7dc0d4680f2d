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

/// Full hex name of an object (40 digits, 64 in a sha256 repository).
using Oid = std::string;
/// A file of a commit, and the list of its paths, are read up to this size: any client can push a
/// large file that packs well, or a hundred million paths in nine objects.
inline constexpr std::uint64_t kMostBytes = std::uint64_t{128} << 20;

/// All zeros: what git writes where there is no object, a ref that is made or deleted.
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
  Person author;
  std::int64_t time = 0;  ///< seconds since 1970
  std::string message;
};

struct TreeFile {
  std::string path;  ///< relative to the listed folder
  Oid id;
};

/// A file that is other than a commit has it, or gone: 'M', 'T' (another kind of file), 'D', 'U'.
struct FileChange {
  std::string path;  ///< from the repository's root
  char status = 'M';
};

struct NewCommit {
  std::map<std::string, std::string> files;  ///< name to content; a flat tree
  std::optional<Oid> parent;
  Person author;
  std::string message;
};

/// A repository as plain values. Two kinds keep this promise: libgit2, and `git` itself for
/// repositories that libgit2 cannot open. Paths are relative to the repository's root. "nullopt" is
/// an ordinary answer: there is no such thing.
class Repository {
 public:
  virtual ~Repository() = default;

  const std::string& root() const {
    return root_;
  }  ///< work tree, absolute, no final '/'; empty in a bare one
  const std::string& git_dir() const { return git_dir_; }        ///< absolute, no final '/'
  const std::string& common_dir() const { return common_dir_; }  ///< shared by all work trees
  bool bare() const { return root_.empty(); }

  /// The commit that a full ref name leads to.
  virtual base::Result<std::optional<Oid>> Resolve(std::string_view ref) const = 0;
  /// The commit that anything a user may write means (`HEAD~2`, `origin/main`, hex).
  virtual base::Result<std::optional<Oid>> RevParse(std::string_view what) const = 0;
  virtual base::Result<std::vector<std::pair<std::string, Oid>>> Refs(
      std::string_view prefix) const = 0;
  /// An Error where it is larger than kMostBytes.
  virtual base::Result<std::optional<std::string>> ReadFile(const Oid& commit,
                                                            std::string_view path) const = 0;
  static base::Error TooLarge(std::string_view path, std::string_view commit, std::uint64_t bytes);
  /// Every file under `folder` ("": the root), recursively, sorted by path; empty where there is no
  /// such folder.
  virtual base::Result<std::vector<TreeFile>> ListFiles(const Oid& commit,
                                                        std::string_view folder) const = 0;
  /// The mode of the file, folder (040000) or submodule (0160000) at `path`; nullopt: none is
  /// there.
  virtual base::Result<std::optional<std::uint32_t>> ModeOf(const Oid& commit,
                                                            std::string_view path) const = 0;
  /// Files in any folder of any of `commits` whose own name `wanted` takes: each path and content
  /// once, with a commit that has it. An Error where there are more than 10,000.
  struct Found {
    TreeFile file;
    Oid commit;
  };
  using WantedName = std::function<bool(std::string_view name)>;
  virtual base::Result<std::vector<Found>> FilesNamed(const std::vector<Oid>& commits,
                                                      const WantedName& wanted) const = 0;
  /// An Error if the commit's paths have more than kMostBytes.
  virtual base::Result<base::Done> CheckPaths(const Oid& commit) const = 0;
  static base::Error TooManyPaths(std::string_view commit);
  virtual base::Result<CommitInfo> ReadCommit(const Oid& id) const = 0;
  virtual base::Result<std::optional<Oid>> MergeBase(const Oid& one, const Oid& two) const = 0;
  /// Is `old` the same as `young` or among its ancestors?
  virtual base::Result<bool> IsAncestor(const Oid& old, const Oid& young) const = 0;
  virtual base::Result<std::optional<std::string>> ConfigValue(const std::string& key) const = 0;
  /// Short name of the branch that HEAD is on, unborn ones too; nullopt when detached.
  virtual base::Result<std::optional<std::string>> HeadBranch() const = 0;
  virtual base::Result<Oid> WriteCommit(const NewCommit& commit) = 0;
  /// Moves `ref` from `old` (nullopt: it must not exist) to `id`; false where it no longer is what
  /// was expected.
  virtual base::Result<bool> UpdateRef(const std::string& ref, const Oid& id,
                                       const std::optional<Oid>& old) = 0;
  virtual base::Result<base::Done> DeleteRef(const std::string& ref) = 0;
  /// `bytes` of the work tree's file as git would store them (line ends, filters); the blob id that
  /// they would have.
  virtual base::Result<std::string> Normalized(const std::string& path,
                                               const std::string& bytes) const = 0;
  virtual base::Result<Oid> BlobId(const std::string& bytes) const = 0;

  base::Result<std::optional<Oid>> Head() const { return RevParse("HEAD"); }

  /// Runs git on this repository, wherever the caller's own directory is and whatever GIT_DIR a
  /// hook has set.
  base::Result<ProcessResult> Git(std::vector<std::string> arguments,
                                  ProcessOptions options = {}) const;
  /// The same for what the user's hooks may follow on, or an editor would open: pathspecs and locks
  /// are as git has them, and texts stay as git proposes them.
  base::Result<ProcessResult> GitWithHooks(std::vector<std::string> arguments) const;
  /// The staged content of `path`; nullopt where the index has none (or several, in a conflict).
  virtual base::Result<std::optional<std::string>> ReadStaged(const std::string& path) const;
  /// The index has `path`, and a sparse checkout leaves it out of the work tree: it is not missing,
  /// and not changed.
  virtual bool OutsideSparseCheckout(const std::string& path) const;
  /// Would git leave the work tree's file or folder `path` out? nullopt: git must be asked.
  virtual base::Result<std::optional<bool>> IsIgnored(const std::string& path) const;
  /// The files under `folder` that commit `from` has, and the index (`staged`) or the work tree has
  /// otherwise. An 'M' of the work tree may only be touched. nullopt: git must be asked.
  virtual base::Result<std::optional<std::vector<FileChange>>> ChangesHere(
      const Oid& from, const std::string& folder, bool staged) const;
  base::Result<bool> IsShallow() const;
  /// Who the user is for git; an Error with the two `git config` lines where git does not know.
  base::Result<Person> Identity() const;

 protected:
  /// ConfigValue, as git itself reads it: a process.
  base::Result<std::optional<std::string>> ConfigOfGit(const std::string& key) const;
  /// MergeBase and IsAncestor, by git: a process. It knows where a shallow clone ends.
  base::Result<std::optional<Oid>> MergeBaseOfGit(const Oid& one, const Oid& two) const;
  base::Result<bool> AncestorOfGit(const Oid& old, const Oid& young) const;
  /// ReadCommit, by git: a process. Text comes as UTF-8, whatever the commit has it in.
  base::Result<CommitInfo> CommitOfGit(const Oid& id) const;

  std::string root_, git_dir_, common_dir_;

 private:
  ProcessOptions Here(ProcessOptions options) const;
  /// What git would write into a commit; nullopt: it does not know.
  base::Result<std::optional<Person>> IdentityOfGit() const;
  /// The same from the configuration alone, without a process; nullopt: git must be asked.
  base::Result<std::optional<Person>> IdentityOfConfig() const;

  mutable std::optional<Person> identity_;  ///< asked once
};

/// The repository that `directory` lies in, honouring GIT_DIR as git does. Exit::Environment where
/// there is none.
base::Result<std::unique_ptr<Repository>> OpenRepository(const std::string& directory);

/// The two kinds (tests compare them). NotOpened: libgit2 has no way with this repository, git may.
struct NotOpened {
  std::string reason;
};
std::variant<std::unique_ptr<Repository>, NotOpened> OpenWithLibgit2(const std::string& directory);
base::Result<std::unique_ptr<Repository>> OpenWithGit(const std::string& directory);

/// Init and shutdown of libgit2; one object in main (and in each test program).
class Library {
 public:
  Library();
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
};

}  // namespace revctl::git
