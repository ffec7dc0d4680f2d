#pragma once
#include <functional>
#include <string>
#include <vector>

#include "revctl/base/listener.h"
#include "revctl/list/reading/source.h"
#include "revctl/tree/tree.h"

namespace revctl::commands {

using CodeToken = base::Token;

/// A C or C++ file split into tokens, so that comments, strings and line breaks do not confuse a
/// search. Macros are not expanded, and code under `#if 0` is included.
class SourceCode {
 public:
  /// Size limit for a file, which bounds the memory use.
  static constexpr std::size_t kLargest = std::size_t{16} << 20;

  SourceCode(std::string path, std::string text);
  SourceCode(const SourceCode&) = delete;
  SourceCode& operator=(const SourceCode&) = delete;

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  /// Returns the tokens, or an empty list if problem() is not empty.
  const std::vector<CodeToken>& tokens() const { return lexed_.tokens; }
  int Line(const CodeToken& token) const { return lines_.At(token.span.begin).line; }
  /// Returns why the file could not be split into tokens (for example, an unterminated comment), or
  /// "".
  const std::string& problem() const { return problem_.message; }
  int problem_line() const { return lines_.At(problem_.offset).line; }

 private:
  std::string path_, text_;
  list::detail::LineTable lines_;
  base::Problem problem_;
  base::LexedFile lexed_;
};

/// Limit on the total size of sources, because a single blob may appear under any number of names.
inline constexpr std::size_t kMostSource = std::size_t{1} << 30;

/// Calls `see` for every source of `side` that contains one of `texts`, or for no source if `texts`
/// is empty. Fails if the total size of the sources exceeds `most` bytes. Calls `watch` for each
/// source to report progress.
base::Result<base::Done> EachSource(const Tree& side, const std::vector<std::string>& texts,
                                    const base::ProgressCallback& watch,
                                    const std::function<void(const SourceCode&)>& see,
                                    std::size_t most = kMostSource);

}  // namespace revctl::commands
