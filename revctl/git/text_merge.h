#pragma once
#include <string>
#include <string_view>

#include "revctl/base/result.h"

namespace revctl::git {

struct TextMergeResult {
  std::string text;  ///< contains conflict markers if `conflict` is true
  bool conflict = false;
};

struct TextMergeLabels {
  std::string ours = "ours", theirs = "theirs";
  int marker_size = 7;
};

/// Returns the result of git's default line-by-line three-way merge. Needs no repository.
base::Result<TextMergeResult> TextMerge(std::string_view base, std::string_view ours,
                                        std::string_view theirs,
                                        const TextMergeLabels& labels = {});

}  // namespace revctl::git
