#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/config/config.h"
#include "revctl/git/index.h"
#include "revctl/git/repository.h"
#include "revctl/list/reading/revision_list.h"
#include "revctl/pending/plan.h"

namespace revctl::commands {

/// A list and its config in one tree.
struct ListThere {
  /// True if `text` contains revisions of the list.
  static bool IsList(const std::string& text, const list::ListConfig& config);
  /// True if the tree has the list. The file may exist before the change that adds the list, for
  /// example because it defines the version constant from which the list is created.
  bool HasList() const { return text && (configured || IsList(*text, config)); }

  /// the config in the tree, or the config passed in if the tree does not configure the list
  list::ListConfig config;
  /// content of the list's file; nullopt if the tree has no such file
  std::optional<std::string> text;
  bool configured = false;  ///< true if the tree's `.revctl.yaml` names the list
};

/// The work tree, the index or a commit. Gives access to its files, its `.revctl.yaml`, and the
/// lists, pending files and goldens that `.revctl.yaml` names. Paths are relative to the
/// repository's root. The repository must outlive this object.
class Tree {
 public:
  /// Returns the work tree. `folder` is the folder of `.revctl.yaml`, with a trailing '/'; "" for
  /// the root.
  static Tree WorkTree(const git::Repository& repository, std::string folder) {
    return {repository, {Kind::WorkTree}, std::move(folder)};
  }
  static Tree Index(const git::Repository& repository, std::string folder) {
    return {repository, {Kind::Index}, std::move(folder)};
  }
  static Tree Commit(const git::Repository& repository, git::Oid id, std::string folder) {
    return {repository, {Kind::Commit, std::move(id)}, std::move(folder)};
  }
  /// Returns a tree for checks outside a repository. Only InRepository(), IsWorkTree() and
  /// IsCommit() may be called on it.
  static Tree None() { return {}; }
  /// Returns the tree of a commit, with the same folder.
  Tree At(git::Oid commit) const;

  const git::Repository& repository() const { return *repository_; }
  const std::string& folder() const { return folder_; }

  bool InRepository() const { return repository_ != nullptr; }
  bool IsWorkTree() const { return place_.kind == Kind::WorkTree; }
  const git::Place& place() const { return place_; }
  bool IsCommit() const { return place_.kind == Kind::Commit; }
  /// Returns the commit of this tree, or HEAD for the work tree and the index. Returns nullopt if
  /// the branch has no commit yet.
  base::Result<std::optional<git::Oid>> Head() const;
  /// Returns the content of a file with git's line endings, or nullopt if there is no such file.
  base::Result<std::optional<std::string>> Read(const std::string& path) const;
  base::Result<bool> Exists(const std::string& path) const;
  /// Returns the size of a file in bytes, or nullopt if there is no such file. Does not read the
  /// file (except in the index), because goldens may be large.
  base::Result<std::optional<std::uint64_t>> Size(const std::string& path) const;
  /// Returns the names of the files directly in `folder`. For the index, returns the files of the
  /// work tree.
  base::Result<std::vector<std::string>> Files(const std::string& folder) const;
  /// Returns the files of a golden folder and of its subfolders for large goldens, as paths
  /// relative to `folder`. For the index, returns the files of the work tree.
  base::Result<std::vector<std::string>> GoldenFiles(const std::string& folder) const;
  /// Returns the paths under `folder` that exist in `from` and are changed or missing in this tree.
  /// Does not report added files.
  base::Result<std::vector<std::string>> ChangedSince(const git::Oid& from,
                                                      const std::string& folder) const;
  /// Returns the lines of text files that contain one of `names` as a whole word, in the form
  /// `path:line:text`.
  base::Result<std::vector<std::string>> LinesWith(const std::vector<std::string>& names) const;
  /// Returns the sorted paths of C and C++ sources (see IsSource) that contain one of `texts`.
  base::Result<std::vector<std::string>> SourcesWith(const std::vector<std::string>& texts) const;
  /// Reads a file that SourcesWith returned. Does not apply git's filters, because they do not
  /// matter for scanning code.
  base::Result<std::optional<std::string>> ReadSource(const std::string& path) const;

  /// Reads `.revctl.yaml`. Returns nullopt if there is none. Fails with Exit::Usage, naming the
  /// commit, if the file is invalid, and with Exit::Environment if git cannot read the file. Caches
  /// the last config and shares it with the trees that At() returns, because most commits have the
  /// same config.
  base::Result<std::optional<config::Config>> Config() const;
  /// Finds a list by its name, because its path in this tree may be different. If the tree's
  /// `.revctl.yaml` is invalid, tries the path in `list`. Fails if that file does not exist either,
  /// because the list may be at an unknown path.
  base::Result<ListThere> List(const list::ListConfig& list) const;
  /// Parses the result of List() without pending files, using the parsing options of `list`.
  /// Returns nullopt if the tree has no such list.
  base::Result<std::optional<list::RevisionList>> Parsed(const list::ListConfig& list) const;
  /// Returns the pending files of a list. Links and oversized files become unreadable items.
  /// Returns no files unless the list has `numbers: at-landing`.
  base::Result<std::vector<pending::PendingText>> Pending(const list::ListConfig& list) const;
  /// Returns a usage error if the pending-files folder is a file, a link or a submodule.
  base::Result<base::Done> CheckPendingFolder(const list::ListConfig& list) const;
  /// Returns `list`, which was read from this tree, plus the revisions of its pending files.
  base::Result<list::RevisionList> WithPending(const list::ListConfig& config,
                                               const list::RevisionList& list) const;

 private:
  using Kind = git::Place::Kind;
  struct ConfigCache;
  Tree() : repository_(nullptr), place_{Kind::WorkTree} {}
  Tree(const git::Repository& repository, git::Place place, std::string folder);
  bool IsStaged() const { return place_.kind == Kind::Index; }

  const git::Repository* repository_;
  git::Place place_;
  std::string folder_;
  std::shared_ptr<ConfigCache> configs_;
};

struct CodeLine {
  std::string path, text;
  int line = 0;
};

/// Parses "path:line:text". The path may contain ':', because only a ':' before a number ends it.
std::optional<CodeLine> ParseCodeLine(const std::string& line);

/// True if the path has a file extension of C or C++ sources.
bool IsSource(const std::string& path);

/// True if `code` contains `name` as a whole word, that is, without a letter, digit or '_' directly
/// before or after it.
bool HoldsWord(std::string_view code, std::string_view name);

}  // namespace revctl::commands
