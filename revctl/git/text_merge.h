#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"

// Wrappers of libgit2's functions that merge or compare texts and need no repository.
namespace revctl::git {

struct TextMergeResult {
  std::string text;  ///< contains conflict markers if `conflict` is true
  bool conflict = false;
};

struct TextMergeLabels {
  std::string ours = "ours", theirs = "theirs";
  int marker_size = 7;
};

/// Returns the result of git's default line-by-line three-way merge.
base::Result<TextMergeResult> TextMerge(std::string_view base, std::string_view ours,
                                        std::string_view theirs,
                                        const TextMergeLabels& labels = {});

/// Returns a file's changes as `git diff` prints them, ready for `git apply`, or "" if the texts
/// are equal. If `before` or `after` is nullopt, the file does not exist on that side. For binary
/// files, returns only a line saying that the files differ.
base::Result<std::string> TextDiff(const std::string& path,
                                   const std::optional<std::string>& before,
                                   const std::optional<std::string>& after);

}  // namespace revctl::git
