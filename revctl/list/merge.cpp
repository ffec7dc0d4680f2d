#include "revctl/list/merge.h"

#include "revctl/base/shell_word.h"
#include "revctl/list/conflict_markers.h"
#include "revctl/list/merge_versions.h"

#include <fmt/core.h>

namespace revctl::list {
namespace {

/// How often conflicts may stand inside a base: criss-cross histories nest them, hostile files do
/// too.
constexpr int kDeepestBase = 8;

/// A base without markers. Git gives one with markers where the histories cross and their own merge
/// had a conflict.
std::string CleanBase(std::string_view base, const MergeInput& input, const MergeContext& context,
                      const ListConfig& config, int depth) {
  if (ConflictMarkerLine(base) == 0) return std::string(base);
  const auto sides = detail::SplitConflicts(base);
  if (!sides || depth >= kDeepestBase) return {};
  MergeInput inner = input;
  const std::string inner_base = CleanBase(sides->base, input, context, config, depth + 1);
  inner.base = inner_base;
  inner.ours = sides->ours;
  inner.theirs = sides->theirs;
  const auto merged = detail::MergeVersions(inner, context, config);
  // Without a base at all, both sides' entries are additions: nothing is taken for deleted.
  return merged.ok() && !merged->conflict ? merged->text : std::string();
}

}  // namespace

Result<MergeOutput> Merge(const MergeInput& input, const MergeContext& context,
                          const ListConfig& config) {
  for (const std::string_view side : {input.ours, input.theirs}) {
    if (const int line = ConflictMarkerLine(side); line != 0) {
      return Error{Exit::Findings,
                   fmt::format("{}:{}: conflict markers are left in one side", input.path, line),
                   "revctl resolve " + base::ShellPath(std::string(input.path))};
    }
  }
  if (input.ours == input.theirs || input.theirs == input.base)
    return MergeOutput{false, std::string(input.ours), {}};
  if (input.ours == input.base) return MergeOutput{false, std::string(input.theirs), {}};
  const std::string base = CleanBase(input.base, input, context, config, 0);
  MergeInput clean = input;
  clean.base = base;
  return detail::MergeVersions(clean, context, config);
}

Result<MergeOutput> Resolve(std::string_view text, std::string_view path,
                            const MergeContext& context, const ListConfig& config) {
  MergeInput input;
  input.path = path;
  const int line = ConflictMarkerLine(text);
  if (line == 0) {
    input.base = input.ours = input.theirs = text;
    return detail::MergeVersions(input, context, config);
  }
  const auto sides = detail::SplitConflicts(text);
  if (!sides) {
    return Error{Exit::Findings,
                 fmt::format("{}:{}: these conflict markers do not fit together", path, line),
                 "git checkout --merge -- " + base::ShellPath(std::string(path))};
  }
  input.base = sides->base;
  input.ours = sides->ours;
  input.theirs = sides->theirs;
  const std::string base = CleanBase(input.base, input, context, config, 0);
  input.base = base;
  return detail::MergeVersions(input, context, config);
}

Result<MergeOutput> Restore(std::string_view text, std::string_view before, std::string_view path,
                            const MergeContext& context, const ListConfig& config) {
  MergeInput input;
  input.path = path;
  input.ours = text;
  input.base = input.theirs = before;
  input.restores = true;
  return detail::MergeVersions(input, context, config);
}

}  // namespace revctl::list
