#include "revctl/list/merge_versions.h"

#include <algorithm>

#include "revctl/list/merge_work.h"
#include "revctl/list/render_numbered.h"

namespace revctl::list::detail {
namespace {

/// C++ does not know a name above its entry: a name for something that the merge has put below it
/// goes below that.
void PutNamesBehindWhatTheyName(Body& body) {
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
    // Names in a circle would move for ever.
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

/// Markers count only at the start of a line; where the list has no lines of its own they cannot be
/// placed.
bool MarkersBeginLines(std::string_view text, int size) {
  const std::string opening(static_cast<std::size_t>(std::max(size, 1)), '<');
  for (std::size_t at = text.find(opening); at != text.npos;
       at = text.find(opening, at + opening.size())) {
    if (at != 0 && text[at - 1] != '\n') return false;
  }
  return true;
}

/// Puts the marked texts in place of those that the list was evaluated with.
base::Result<MergeOutput> WithMarkers(MergeWork& work) {
  Body& body = work.body;
  for (Item& item : body.items) {
    if (const auto gap = work.gaps_marked.find(item.name); gap != work.gaps_marked.end())
      item.gap = gap->second;
    const auto found = work.marked.find(item.name);
    if (found == work.marked.end()) continue;
    item.lead.clear();
    item.assign.clear();
    item.initializer.clear();
    item.tail.clear();
    item.head = found->second;
    item.comma_elsewhere = true;
  }
  if (!work.before_marked.empty()) body.before = work.before_marked;
  if (!work.end_gap_marked.empty()) body.end_gap = work.end_gap_marked;
  if (!work.after_marked.empty()) body.after = work.after_marked;
  work.out.text = body.Render();
  if (!MarkersBeginLines(work.out.text, work.input.marker_size))
    return work.Impossible("a conflict in a list of one line");
  return std::move(work.out);
}

}  // namespace

base::Result<MergeOutput> MergeVersions(const MergeInput& input, const MergeContext& context,
                                        const ListConfig& config) {
  MergeWork work(input, context, config);
  if (auto failed = ReadVersions(work)) return *failed;
  MergeFrame(work);
  if (auto failed = MergePending(work)) return *failed;
  PutNamesBehindWhatTheyName(work.body);
  if (work.follows_latest) MoveCurrent(work.body, work.current);
  for (const std::string& name : work.latest_numbers) MoveCurrent(work.body, name);
  TRY(auto text, RenderNumbered(work.body, config, std::string(input.path)));
  work.out.text = std::move(text);
  if (!work.out.conflict) return std::move(work.out);
  return WithMarkers(work);
}

}  // namespace revctl::list::detail
