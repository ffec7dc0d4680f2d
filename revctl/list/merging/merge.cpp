#include "revctl/list/merging/merge.h"

#include "revctl/base/shell_word.h"
#include "revctl/list/merging/conflict_markers.h"
#include "revctl/list/merging/work.h"
#include "revctl/list/writing/render_numbered.h"

#include <fmt/core.h>
#include <algorithm>
#include <set>

namespace revctl::list {
namespace {

using detail::Body;
using detail::Item;
using detail::MergeWork;

/// Moves aliases below the entries that they name, because in C++ an enumerator can be used only
/// after its definition.
void PutAliasesBelowTheirTargets(Body& body) {
  const auto names = [](const Item& item) -> const std::string& {
    return item.alias_of.empty() ? item.one_below : item.alias_of;
  };
  if (std::all_of(body.items.begin(), body.items.end(),
                  [&](const Item& item) { return names(item).empty(); }))
    return;
  std::set<std::string_view> seen;
  for (std::size_t i = 0, moves = 0; i < body.items.size();) {
    const std::string wanted = names(body.items[i]);
    const std::size_t owner =
        wanted.empty() || seen.contains(wanted) ? body.items.size() : body.Find(wanted);
    // Limit the number of moves, because two aliases that name each other would be moved forever.
    if (owner == body.items.size() || owner <= i || ++moves > body.items.size()) {
      seen.insert(body.items[i++].name);
      continue;
    }
    Item item = TakeOut(body, i);
    seen.clear();
    for (std::size_t j = 0; j < i; ++j) seen.insert(body.items[j].name);
    Insert(body, owner, std::move(item));
  }
}

/// True if every conflict marker starts a line. A marker is in the middle of a line if the list
/// shares its line with other text.
bool MarkersBeginLines(std::string_view text, int size) {
  const std::string opening(static_cast<std::size_t>(std::max(size, 1)), '<');
  for (std::size_t at = text.find(opening); at != text.npos;
       at = text.find(opening, at + opening.size())) {
    if (at != 0 && text[at - 1] != '\n') return false;
  }
  return true;
}

/// Adds conflict markers around the conflicting parts. This is the last step, because a list with
/// markers cannot be evaluated.
base::Result<MergeOutput> WithMarkers(MergeWork& work) {
  Body& body = work.body;
  for (Item& item : body.items) {
    if (const auto gap = work.marked.gaps.find(item.name); gap != work.marked.gaps.end())
      item.gap = gap->second;
    const auto found = work.marked.entries.find(item.name);
    if (found == work.marked.entries.end()) continue;
    item.lead.clear();
    item.assign.clear();
    item.initializer.clear();
    item.tail.clear();
    item.head = found->second;
    item.comma_elsewhere = true;
  }
  if (!work.marked.before.empty()) body.before = work.marked.before;
  if (!work.marked.end_gap.empty()) body.end_gap = work.marked.end_gap;
  if (!work.marked.after.empty()) body.after = work.marked.after;
  work.out.text = body.Render();
  if (!MarkersBeginLines(work.out.text, work.input.marker_size))
    return detail::Impossible(
        work.input,
        "this merge has conflicts, but a single-line list cannot contain conflict markers");
  return std::move(work.out);
}

/// Merges the three versions entry by entry. An empty base means that both sides added the file.
/// Merges even if one side is unchanged, because Resolve and Restore use such a merge to repair a
/// list.
base::Result<MergeOutput> MergeVersions(const MergeInput& input, const MergeContext& context,
                                        const ListConfig& config) {
  TRY(auto sides, detail::ReadSides(input, context, config));
  detail::Marking marking{input.marker_size, input.ours_label, input.theirs_label, sides.line_end};
  MergeWork work{input, context, config, std::move(sides), std::move(marking), {}, {}, {}, {}};
  MergeFrame(work);
  if (auto failed = MergePending(work)) return *failed;
  PutAliasesBelowTheirTargets(work.body);
  if (work.sides.follows_latest) MoveCurrent(work.body, work.sides.current);
  for (const std::string& name : work.sides.latest_numbers) MoveCurrent(work.body, name);
  TRY(auto text, RenderNumbered(work.body, config, std::string(input.path)));
  work.out.text = std::move(text);
  if (!work.out.conflict) return std::move(work.out);
  return WithMarkers(work);
}

/// Maximum nesting depth of conflicts in a base. Nested conflicts occur in criss-cross histories
/// and in hostile files.
constexpr int kDeepestBase = 8;

/// Returns the base without conflict markers. In a criss-cross history, git merges the merge bases
/// first, and if they conflict, it passes their merge as a base with markers.
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
  const auto merged = MergeVersions(inner, context, config);
  // If the base is empty, the entries of both sides are additions, and no entry is a deletion.
  return merged.ok() && !merged->conflict ? merged->text : std::string();
}

}  // namespace

Result<MergeOutput> Merge(const MergeInput& input, const MergeContext& context,
                          const ListConfig& config) {
  for (const std::string_view side : {input.ours, input.theirs}) {
    if (const int line = ConflictMarkerLine(side); line != 0) {
      return Error{
          Exit::Findings,
          fmt::format("{}:{}: one side of the merge contains conflict markers", input.path, line),
          "revctl fix"};
    }
  }
  if (input.ours == input.theirs || input.theirs == input.base)
    return MergeOutput{false, std::string(input.ours), {}};
  if (input.ours == input.base) return MergeOutput{false, std::string(input.theirs), {}};
  const std::string base = CleanBase(input.base, input, context, config, 0);
  MergeInput clean = input;
  clean.base = base;
  return MergeVersions(clean, context, config);
}

Result<MergeOutput> Resolve(std::string_view text, std::string_view path,
                            const MergeContext& context, const ListConfig& config) {
  MergeInput input;
  input.path = path;
  const int line = ConflictMarkerLine(text);
  if (line == 0) {
    input.base = input.ours = input.theirs = text;
    return MergeVersions(input, context, config);
  }
  const auto sides = detail::SplitConflicts(text);
  if (!sides) {
    return Error{Exit::Findings, fmt::format("{}:{}: unbalanced conflict markers", path, line),
                 "git checkout --merge -- " + base::ShellPath(std::string(path))};
  }
  input.base = sides->base;
  input.ours = sides->ours;
  input.theirs = sides->theirs;
  const std::string base = CleanBase(input.base, input, context, config, 0);
  input.base = base;
  return MergeVersions(input, context, config);
}

Result<MergeOutput> Restore(std::string_view text, std::string_view before, std::string_view path,
                            const MergeContext& context, const ListConfig& config) {
  MergeInput input;
  input.path = path;
  input.ours = text;
  input.base = input.theirs = before;
  input.restores = true;
  return MergeVersions(input, context, config);
}

}  // namespace revctl::list
