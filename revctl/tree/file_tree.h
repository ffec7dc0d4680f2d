#pragma once
#include <optional>
#include <string>
#include <vector>

#include <string_view>
#include "revctl/git/repository.h"

namespace revctl::commands {

/// What is judged: the work tree, what is staged, or a commit. Paths are from the repository's
/// root.
class FileTree {
 public:
  static FileTree WorkTree(const git::Repository& repository) {
    return {repository, Kind::WorkTree, {}};
  }
  static FileTree Staged(const git::Repository& repository) {
    return {repository, Kind::Staged, {}};
  }
  static FileTree Commit(const git::Repository& repository, git::Oid id) {
    return {repository, Kind::Commit, std::move(id)};
  }

  bool IsWorkTree() const { return kind_ == Kind::WorkTree; }
  bool IsCommit() const { return kind_ == Kind::Commit; }
  /// The commit whose history this side continues; nullopt: a branch without a commit.
  base::Result<std::optional<git::Oid>> Head() const;
  /// As git stores it (line ends); nullopt: there is no such file.
  base::Result<std::optional<std::string>> Read(const std::string& path) const;
  base::Result<bool> Exists(const std::string& path) const;
  /// Names of the files right in `folder`: of what is staged, those that the work tree has.
  base::Result<std::vector<std::string>> FilesIn(const std::string& folder) const;
  /// Paths under `folder` that `from` has and this side has no more, or has otherwise. What only
  /// this side has is left out.
  base::Result<std::vector<std::string>> ChangedSince(const git::Oid& from,
                                                      const std::string& folder) const;
  /// Lines of text files that hold one of `names` as a word, as `path:line:text`.
  base::Result<std::vector<std::string>> LinesWith(const std::vector<std::string>& names) const;
  /// Paths of the sources (IsSource) that hold one of `texts`, sorted.
  base::Result<std::vector<std::string>> SourcesWith(const std::vector<std::string>& texts) const;
  /// A file that SourcesWith has named, as it lies there: what filters would make of it does not
  /// matter to a reader of code.
  base::Result<std::optional<std::string>> ReadSource(const std::string& path) const;

 private:
  enum class Kind { WorkTree, Staged, Commit };
  base::Result<std::string> RunGrep(const std::vector<std::string>& how,
                                    std::string patterns) const;
  FileTree(const git::Repository& repository, Kind kind, git::Oid id)
      : repository_(&repository), kind_(kind), id_(std::move(id)) {}

  const git::Repository* repository_;
  Kind kind_;
  git::Oid id_;
};

/// Lines of files as git grep prints them.
struct CodeLine {
  std::string path, text;
  int line = 0;
};

/// "path:line:text"; a path with a ':' in it is told by the number that must follow.
std::optional<CodeLine> ParseCodeLine(const std::string& line);

/// A file of C or C++, by its name.
bool IsSource(const std::string& path);

/// `name` stands in `code`, and not as a part of a longer one.
bool HoldsWord(std::string_view code, std::string_view name);

}  // namespace revctl::commands
