#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/git/index.h"
#include "revctl/git/repository.h"

namespace revctl::commands {

/// Reads files from the work tree, the index or a commit. Paths are relative to the repository's
/// root. The repository must outlive this object.
class FileTree {
 public:
  static FileTree WorkTree(const git::Repository& repository) {
    return {repository, {Kind::WorkTree}};
  }
  /// Returns a tree for checks that read no files. Only the questions about its kind may be asked.
  static FileTree None() { return {}; }
  static FileTree Staged(const git::Repository& repository) { return {repository, {Kind::Index}}; }
  static FileTree Commit(const git::Repository& repository, git::Oid id) {
    return {repository, {Kind::Commit, std::move(id)}};
  }

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
  /// Returns the names of the files directly in `folder`. The index is answered from the work tree.
  base::Result<std::vector<std::string>> FilesIn(const std::string& folder) const;
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

 private:
  using Kind = git::Place::Kind;
  FileTree() : repository_(nullptr), place_{Kind::WorkTree} {}
  FileTree(const git::Repository& repository, git::Place place)
      : repository_(&repository), place_(std::move(place)) {}
  bool IsStaged() const { return place_.kind == Kind::Index; }

  const git::Repository* repository_;
  git::Place place_;
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
