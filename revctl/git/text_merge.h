#pragma once
#include <string>
#include <string_view>

#include "revctl/base/result.h"

namespace revctl::git {

struct TextMergeResult {
  std::string text;  ///< with markers where `conflict`
  bool conflict = false;
};

struct TextMergeLabels {
  std::string ours = "ours", theirs = "theirs";
  int marker_size = 7;
};

/// The line-wise three-way merge that git makes without a driver. Needs no repository.
base::Result<TextMergeResult> TextMerge(std::string_view base, std::string_view ours,
                                        std::string_view theirs,
                                        const TextMergeLabels& labels = {});

}  // namespace revctl::git
