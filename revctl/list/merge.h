#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/revision_list.h"

namespace revctl::list {

/// What the merge knows besides its three files. Gathered by the caller; the merge itself knows neither git nor disk.
struct MergeContext {
  /// The list at the tip of the target branch; empty text where the target is unknown or has no list.
  std::string landed_text;
  bool landed_known = false;
  /// Order and numbers of open reservations (ledger, local copy), by name; `high_water` is the highest number ever given.
  std::vector<std::pair<std::string, std::int64_t>> reservations;
  std::int64_t high_water = 0;
  bool ledger_known = false;
};

struct MergeInput {
  std::string_view base, ours, theirs;  ///< whole files
  std::string_view path;                ///< for messages
  int marker_size = 7;
  std::string_view ours_label = "ours", theirs_label = "theirs";
};

struct MergeOutput {
  bool conflict = false;             ///< markers stand in `text`
  std::string text;
  std::vector<std::string> messages; ///< what was decided, or what contradicts what; for stderr
};

/// Three-way merge of a version list (design section 6, "Merging"). Pure; symmetric in its sides except for marker labels.
/// An Error (a file that cannot be parsed) tells the caller to make the plain text merge instead.
findings::Result<MergeOutput> Merge(const MergeInput& input, const MergeContext& context, const ListConfig& config);

}  // namespace revctl::list
