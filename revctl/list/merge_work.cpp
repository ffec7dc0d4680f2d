#include "revctl/list/merge_work.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/list/entry_style.h"

namespace revctl::list::detail {
namespace {

/// The versions as lists; their texts must stay where they are until all is taken apart.
struct Parsed {
  std::optional<RevisionList> base, ours, theirs, own_target;
  const RevisionList* target = nullptr;  ///< one of the above, mostly

  /// What there is of the three.
  std::vector<const RevisionList*> Versions() const {
    std::vector<const RevisionList*> out;
    for (const auto* one : {&base, &ours, &theirs}) {
      if (*one) out.push_back(&**one);
    }
    return out;
  }
};

std::optional<Error> ParseAll(const MergeWork& work, FileStyle style, Parsed& out) {
  const MergeInput& input = work.input;
  const MergeContext& context = work.context;
  const auto parse = [&](std::string_view text) {
    return Parse(InStyle(text, style), work.config, input.path);
  };
  TRY(auto ours, parse(input.ours));
  out.ours = std::move(ours);
  TRY(auto theirs, parse(input.theirs));
  out.theirs = std::move(theirs);
  // A base that cannot be read is none: the sides decide, and what they do not agree on is a
  // conflict.
  if (!input.base.empty()) {
    auto base = parse(input.base);
    if (base) out.base = std::move(*base);
  }
  if (!context.landed_known || context.landed_text.empty()) return std::nullopt;
  // The target mostly is one of the versions at hand.
  if (context.landed_text == input.theirs) out.target = &*out.theirs;
  else if (context.landed_text == input.ours) out.target = &*out.ours;
  else if (context.landed_text == input.base && out.base) out.target = &*out.base;
  if (out.target != nullptr) return std::nullopt;
  auto target = parse(context.landed_text);
  if (!target)
    return Error{Exit::Findings,
                 "the list of the target branch cannot be read: " + target.error().message,
                 target.error().fix};
  out.target = &out.own_target.emplace(std::move(*target));
  return std::nullopt;
}

FileStyle MergedStyle(const MergeInput& input) {
  return Pick(StyleOf(input.base.empty() ? input.ours : input.base), StyleOf(input.ours),
              StyleOf(input.theirs), [](auto a, auto b) {
                return FileStyle{a.carriage_returns && b.carriage_returns,
                                 a.byte_order_mark && b.byte_order_mark};
              });
}

void Split(MergeWork& work, const Parsed& lists) {
  const auto split = [&](const RevisionList& list) {
    return std::make_shared<const Side>(SplitSide(list, work.config, work.landed));
  };
  work.ours = split(*lists.ours);
  work.theirs = split(*lists.theirs);
  work.base = lists.base ? split(*lists.base) : std::make_shared<const Side>();
  if (lists.target == nullptr) work.target = std::make_shared<const Side>();
  else if (lists.target == &*lists.ours) work.target = work.ours;
  else if (lists.target == &*lists.theirs) work.target = work.theirs;
  else if (lists.base && lists.target == &*lists.base) work.target = work.base;
  else work.target = split(*lists.target);
  if (!lists.base &&
      lists.target != nullptr) {  // a list that both sides added is likely the target's
    Side outside;
    outside.body.before = work.target->body.before;
    outside.body.after = work.target->body.after;
    work.base = std::make_shared<const Side>(std::move(outside));
  }
}

/// Names that have the latest revision's number in writing, in every version.
std::set<std::string> AlwaysLatest(const MergeWork& work, bool has_base) {
  std::set<std::string> names;
  for (const std::string& name : work.ours->latest_numbers) {
    if (work.theirs->latest_numbers.contains(name) &&
        (!has_base || work.base->Frame(name) == nullptr ||
         work.base->latest_numbers.contains(name))) {
      names.insert(name);
    }
  }
  return names;
}

}  // namespace

MergeWork::MergeWork(const MergeInput& merge_input, const MergeContext& merge_context,
                     const ListConfig& list_config)
    : input(merge_input), context(merge_context), config(list_config), reservations(merge_context) {
  marking = {input.marker_size, input.ours_label, input.theirs_label};
}

const Item* MergeWork::BaseItem(const std::string& name) const {
  const Item* const item = base->Frame(name);
  return item != nullptr ? item : target->Frame(name);
}

bool MergeWork::IsGone(const std::string& pending) const {
  const PendingItem* const was = base->Pending(pending);
  const PendingItem* const mine = ours->Pending(pending);
  const PendingItem* const other = theirs->Pending(pending);
  if (was == nullptr || (mine != nullptr && other != nullptr)) return false;
  const PendingItem* const kept = mine != nullptr ? mine : other;
  if (kept == nullptr) return true;
  // A number is a place in line: a commit that only gave another one adds nothing where it is
  // picked, and keeps nothing that is reverted.
  Item item = kept->item;
  RenumberComments(item, item.number, was->item.number);
  return item.lead == was->item.lead && item.head == was->item.head && item.tail == was->item.tail;
}

Anchor MergeWork::MergedAnchor(const std::string& name) const {
  const auto in = [&name](const Side& side) -> const Anchor* {
    const auto found = side.frame_index.find(name);
    return found == side.frame_index.end() ? nullptr : &side.anchors[found->second];
  };
  const Anchor* const was = in(*base);
  const Anchor* const mine = in(*ours);
  const Anchor* const other = in(*theirs);
  if (mine == nullptr || other == nullptr)
    return mine != nullptr ? *mine : other != nullptr ? *other : Anchor{};
  const auto later = [](const Anchor& a, const Anchor& b) { return a.behind >= b.behind ? a : b; };
  return was != nullptr ? Pick(*was, *mine, *other, later) : later(*mine, *other);
}

void MergeWork::Say(std::string message) {
  out.messages.push_back(fmt::format("{}: {}", input.path, std::move(message)));
}

void MergeWork::Conflict(const std::string& message) {
  out.conflict = true;
  Say("conflict: " + message);
}

Error MergeWork::Impossible(const std::string& why) const {
  return {Exit::Findings, fmt::format("{}: {}", input.path, why), {}};
}

std::optional<Error> ReadVersions(MergeWork& work) {
  const FileStyle style = MergedStyle(work.input);
  work.line_end = style.carriage_returns ? "\r\n" : "\n";
  Parsed lists;
  if (auto failed = ParseAll(work, style, lists)) return failed;
  // Without a target, what both sides come from is taken for landed: it is what both must keep.
  if (work.context.landed_known) {
    if (lists.target != nullptr)
      work.landed = LandedWithPurged(*lists.target, lists.Versions(), work.config);
  } else if (lists.base) {
    work.landed = LandedOf(*lists.base);
  }
  Split(work, lists);
  const Side& ours = *work.ours;
  const Side& theirs = *work.theirs;
  if (ours.body.comma_first != theirs.body.comma_first)
    return work.Impossible("one side writes its commas first, the other last");
  work.newest_first = ours.revisions + theirs.revisions > 2 &&
                      (ours.newest_first || ours.revisions < 2) &&
                      (theirs.newest_first || theirs.revisions < 2);
  work.current = ours.current == theirs.current || work.input.restores ? theirs.current : "";
  work.follows_latest =
      !work.current.empty() &&
      (!work.config.current.empty() || (ours.current_is_latest && theirs.current_is_latest));
  work.latest_numbers = AlwaysLatest(work, lists.base.has_value());
  return std::nullopt;
}

}  // namespace revctl::list::detail
