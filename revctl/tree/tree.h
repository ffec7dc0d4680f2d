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

/// A list in a tree.
struct ListThere {
  /// True if `text` has revisions of the list.
  static bool IsList(const std::string& text, const list::ListConfig& config);
  /// False before the change that adds the list: the file may exist there with other content, such
  /// as the constant that the list was made from.
  bool HasList() const { return text && (configured || IsList(*text, config)); }

  /// as configured in the tree, or as passed in if the tree does not configure the list
  list::ListConfig config;
  std::optional<std::string> text;  ///< nullopt if the tree has no such file
  bool configured = false;          ///< the tree's `.revctl.yaml` names the list
};

/// The work tree, the index or a commit: its files, its `.revctl.yaml`, and the lists, pending
/// files and goldens that this names. Paths are relative to the repository's root. The repository
/// must outlive this object.
class Tree {
 public:
  /// `folder`: the folder of `.revctl.yaml`, with a trailing '/'; "" for the root.
  static Tree WorkTree(const git::Repository& repository, std::string folder) {
    return {repository, {Kind::WorkTree}, std::move(folder)};
  }
  static Tree Index(const git::Repository& repository, std::string folder) {
    return {repository, {Kind::Index}, std::move(folder)};
  }
  static Tree Commit(const git::Repository& repository, git::Oid id, std::string folder) {
    return {repository, {Kind::Commit, std::move(id)}, std::move(folder)};
  }
  /// Returns a tree for checks outside a repository. Only its kind may be queried.
  static Tree None() { return {}; }
  /// Returns the tree of a commit, with the same folder.
  Tree At(git::Oid commit) const;

  const git::Repository& repository() const { return *repository_; }
  const std::string& folder() const { return folder_; }

  bool InRepository() const { return repository_ != nullptr; }
  bool IsWorkTree() const { return place_.kind == Kind::WorkTree; }
  const git::Place& place() const { return place_; }
  bool IsCommit() const { return place_.kind == Kind::Commit; }
  /// Returns the commit, or HEAD for work tree and index; nullopt if the branch has no commit.
  base::Result<std::optional<git::Oid>> Head() const;
  /// Returns the content with git's line endings, or nullopt if there is no such file.
  base::Result<std::optional<std::string>> Read(const std::string& path) const;
  base::Result<bool> Exists(const std::string& path) const;
  /// Returns the size of a file in bytes, or nullopt if there is no such file. Large goldens are
  /// not read for it, except from the index.
  base::Result<std::optional<std::uint64_t>> Size(const std::string& path) const;
  /// Returns the names of the files directly in `folder`. For the index, returns those of the work
  /// tree.
  base::Result<std::vector<std::string>> Files(const std::string& folder) const;
  /// Returns the paths under `folder` that exist in `from` and are changed or missing here. Added
  /// files are not reported.
  base::Result<std::vector<std::string>> ChangedSince(const git::Oid& from,
                                                      const std::string& folder) const;
  /// Returns lines of text files with one of `names` as a whole word, as `path:line:text`.
  base::Result<std::vector<std::string>> LinesWith(const std::vector<std::string>& names) const;
  /// Returns the sorted paths of C and C++ sources (IsSource) that contain one of `texts`.
  base::Result<std::vector<std::string>> SourcesWith(const std::vector<std::string>& texts) const;
  /// Reads a file that SourcesWith returned, without applying git's filters, because they do not
  /// matter for scanning code.
  base::Result<std::optional<std::string>> ReadSource(const std::string& path) const;

  /// Reads `.revctl.yaml`; nullopt if there is none. Fails with Exit::Usage, naming the commit, if
  /// the file is invalid, and with Exit::Environment if git cannot read it. The last config is kept
  /// and shared with the trees that At() returns, because most commits have the same one.
  base::Result<std::optional<config::Config>> Config() const;
  /// Finds a list by its name, because the tree may have the file at another path. If the tree's
  /// `.revctl.yaml` is invalid, the path in `list` is tried; if that file does not exist either,
  /// this fails, because the list may be elsewhere.
  base::Result<ListThere> List(const list::ListConfig& list) const;
  /// Parses List() without pending files, with the parsing options of `list`. Returns nullopt if
  /// the tree has no such list.
  base::Result<std::optional<list::RevisionList>> Parsed(const list::ListConfig& list) const;
  /// Returns the pending files of a list. Links and oversized files are returned as unreadable.
  /// Empty unless the list has `numbers: at-landing`.
  base::Result<std::vector<pending::PendingText>> Pending(const list::ListConfig& list) const;
  /// Returns Exit::Usage if the folder of pending files is a file, a link or a submodule.
  base::Result<base::Done> CheckPendingFolder(const list::ListConfig& list) const;
  /// Returns `list`, read from this tree, with the revisions of its pending files.
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

/// Parses "path:line:text". The path may contain ':', because a number follows the separator.
std::optional<CodeLine> ParseCodeLine(const std::string& line);

/// True if the name has an extension of C or C++.
bool IsSource(const std::string& path);

/// True if `code` has `name` with no letter, digit or '_' before or after it.
bool HoldsWord(std::string_view code, std::string_view name);

}  // namespace revctl::commands
