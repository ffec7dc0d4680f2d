#pragma once
#include <functional>
#include <string>
#include <vector>

#include "revctl/list/reading/source.h"
#include "revctl/session/progress_line.h"
#include "revctl/tree/file_tree.h"

namespace revctl::commands {

using CodeToken = base::Token;

/// One file of C or C++ cut into tokens, so that comments and strings are not taken for code, and a
/// line break in the middle of a gate is none. No macro is expanded, and what stands under `#if 0`
/// counts as code.
class SourceCode {
 public:
  /// Above this, tokens would cost more memory than a gate may take.
  static constexpr std::size_t kLargest = std::size_t{16} << 20;

  SourceCode(std::string path, std::string text);
  SourceCode(const SourceCode&) = delete;
  SourceCode& operator=(const SourceCode&) = delete;

  const std::string& path() const { return path_; }
  const std::string& text() const { return text_; }
  /// None where there is a `problem()`.
  const std::vector<CodeToken>& tokens() const { return lexed_.tokens; }
  /// 1-based.
  int Line(const CodeToken& token) const { return lines_.At(token.span.begin).line; }
  /// Why it cannot be cut: a comment without an end, too big a file. Empty where it can.
  const std::string& problem() const { return problem_.message; }
  int problem_line() const { return lines_.At(problem_.offset).line; }

 private:
  std::string path_, text_;
  list::detail::LineTable lines_;
  base::Problem problem_;
  base::LexedFile lexed_;
};

/// More bytes of sources are not read: one blob may stand under any number of names.
inline constexpr std::size_t kMostSource = std::size_t{1} << 30;

/// Every source of `side` that holds one of `texts`, one after the other. Nothing is searched for
/// where there is no text. An Error where they have more than `most` bytes. `watch` is told of
/// each.
base::Result<base::Done> EachSource(const FileTree& side, const std::vector<std::string>& texts,
                                    const HowManyAreDone& watch,
                                    const std::function<void(const SourceCode&)>& see,
                                    std::size_t most = kMostSource);

}  // namespace revctl::commands
