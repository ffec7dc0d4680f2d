#include "revctl/list/merging/work.h"

#include <fmt/core.h>
#include <algorithm>

#include "revctl/list/reading/source.h"
#include "revctl/list/writing/entry_style.h"

namespace revctl::list::detail {
namespace {

/// The byte order mark of a file, and the line ending of most of its lines.
struct FileStyle {
  bool carriage_returns = false;
  bool byte_order_mark = false;
  bool operator==(const FileStyle&) const = default;
};

FileStyle StyleOf(std::string_view text) {
  const bool byte_order_mark = text.starts_with(kByteOrderMark);
  if (text.find('\r') == text.npos) return {false, byte_order_mark};
  const auto lines = std::count(text.begin(), text.end(), '\n');
  std::ptrdiff_t with_carriage = 0;
  for (std::size_t i = text.find("\r\n"); i != text.npos; i = text.find("\r\n", i + 2))
    ++with_carriage;
  return {with_carriage * 2 > lines, byte_order_mark};
}

/// Returns `text` converted to `style`. The styles of the sides differ if the file was converted on
/// one side.
std::string InStyle(std::string_view text, FileStyle style) {
  const FileStyle now = StyleOf(text);
  if (now == style || text.empty()) return std::string(text);
  if (now.byte_order_mark) text.remove_prefix(3);
  std::string out(style.byte_order_mark ? kByteOrderMark : std::string_view());
  out.reserve(text.size() + text.size() / 16);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n' && !style.carriage_returns)
      continue;
    if (text[i] == '\n' && style.carriage_returns && (i == 0 || text[i - 1] != '\r')) out += '\r';
    out += text[i];
  }
  return out;
}

struct Parsed {
  std::optional<RevisionList> base, ours, theirs, own_target;
  const RevisionList* target = nullptr;  ///< usually points to one of the lists above

  std::vector<const RevisionList*> Versions() const {
    std::vector<const RevisionList*> out;
    for (const auto* one : {&base, &ours, &theirs}) {
      if (*one) out.push_back(&**one);
    }
    return out;
  }
};

std::optional<Error> ParseAll(const MergeInput& input, const MergeContext& context,
                              const ListConfig& config, FileStyle style, Parsed& out) {
  const auto parse = [&](std::string_view text) {
    return Parse(InStyle(text, style), config, input.path);
  };
  TRY(auto ours, parse(input.ours));
  out.ours = std::move(ours);
  TRY(auto theirs, parse(input.theirs));
  out.theirs = std::move(theirs);
  // Treat an unreadable base as missing, so that all differences between the sides are conflicts.
  if (!input.base.empty()) {
    auto base = parse(input.base);
    if (base) out.base = std::move(*base);
  }
  if (!context.landed_known || context.landed_text.empty()) return std::nullopt;
  // Avoid parsing the target again, because it is usually one of the versions.
  if (context.landed_text == input.theirs) out.target = &*out.theirs;
  else if (context.landed_text == input.ours) out.target = &*out.ours;
  else if (context.landed_text == input.base && out.base) out.target = &*out.base;
  if (out.target != nullptr) return std::nullopt;
  auto target = parse(context.landed_text);
  if (!target)
    return Error{Exit::Findings,
                 "cannot read the list on the target branch: " + ErrorText(target.error()),
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

void Split(MergeSides& sides, const Parsed& lists, const ListConfig& config) {
  const auto split = [&](const RevisionList& list) {
    return std::make_shared<const Side>(SplitSide(list, config, sides.landed));
  };
  sides.ours = split(*lists.ours);
  sides.theirs = split(*lists.theirs);
  sides.base = lists.base ? split(*lists.base) : std::make_shared<const Side>();
  if (lists.target == nullptr) sides.target = std::make_shared<const Side>();
  else if (lists.target == &*lists.ours) sides.target = sides.ours;
  else if (lists.target == &*lists.theirs) sides.target = sides.theirs;
  else if (lists.base && lists.target == &*lists.base) sides.target = sides.base;
  else sides.target = split(*lists.target);
  // If both sides added the list, take the text around its entries from the target.
  if (!lists.base && lists.target != nullptr) {
    Side outside;
    outside.body.before = sides.target->body.before;
    outside.body.after = sides.target->body.after;
    sides.base = std::make_shared<const Side>(std::move(outside));
  }
}

/// Returns the names of entries that have the latest revision's number as a literal in every
/// version.
std::set<std::string> AlwaysLatest(const MergeSides& sides, bool has_base) {
  std::set<std::string> names;
  for (const std::string& name : sides.ours->latest_numbers) {
    if (sides.theirs->latest_numbers.contains(name) &&
        (!has_base || sides.base->Frame(name) == nullptr ||
         sides.base->latest_numbers.contains(name))) {
      names.insert(name);
    }
  }
  return names;
}

}  // namespace

const Item* MergeSides::BaseItem(const std::string& name) const {
  const Item* const item = base->Frame(name);
  return item != nullptr ? item : target->Frame(name);
}

bool MergeSides::IsGone(const std::string& pending) const {
  const PendingItem* const was = base->Pending(pending);
  const PendingItem* const mine = ours->Pending(pending);
  const PendingItem* const other = theirs->Pending(pending);
  if (was == nullptr || (mine != nullptr && other != nullptr)) return false;
  const PendingItem* const kept = mine != nullptr ? mine : other;
  if (kept == nullptr) return true;
  // Ignore a changed number: cherry-picking a commit that only renumbers the revision must not
  // bring the revision back, and reverting such a commit must not keep it.
  Item item = kept->item;
  RenumberComments(item, item.number, was->item.number);
  return item.lead == was->item.lead && item.head == was->item.head && item.tail == was->item.tail;
}

Anchor MergeSides::MergedAnchor(const std::string& name) const {
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

void MergeWork::Say(const std::string& message) {
  out.messages.push_back(fmt::format("{}: {}", input.path, message));
}

void MergeWork::Conflict(const std::string& message) {
  out.conflict = true;
  Say("conflict: " + message);
}

Error Impossible(const MergeInput& input, const std::string& why) {
  return {Exit::Findings, fmt::format("{}: {}", input.path, why), {}};
}

Result<MergeSides> ReadSides(const MergeInput& input, const MergeContext& context,
                             const ListConfig& config) {
  const FileStyle style = MergedStyle(input);
  MergeSides sides;
  if (style.carriage_returns) sides.line_end.insert(0, 1, '\r');
  Parsed lists;
  if (auto failed = ParseAll(input, context, config, style, lists)) return *failed;
  // If the target is unknown, treat the revisions of the base as landed, because both sides must
  // keep them.
  if (context.landed_known) {
    if (lists.target != nullptr)
      sides.landed = LandedWithPurged(*lists.target, lists.Versions(), config);
  } else if (lists.base) {
    sides.landed = LandedOf(*lists.base);
  }
  Split(sides, lists, config);
  const Side& ours = *sides.ours;
  const Side& theirs = *sides.theirs;
  if (ours.body.comma_first != theirs.body.comma_first)
    return Impossible(input, "one side has commas at the beginning of lines, the other at the end");
  sides.newest_first = ours.revisions + theirs.revisions > 2 &&
                       (ours.newest_first || ours.revisions < 2) &&
                       (theirs.newest_first || theirs.revisions < 2);
  sides.current = ours.current == theirs.current || input.restores ? theirs.current : "";
  sides.follows_latest =
      !sides.current.empty() &&
      (!config.current.empty() || (ours.current_is_latest && theirs.current_is_latest));
  sides.latest_numbers = AlwaysLatest(sides, lists.base.has_value());
  return sides;
}

}  // namespace revctl::list::detail
