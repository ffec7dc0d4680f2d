#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_set>

#include "revctl/list/entry_style.h"
#include "revctl/list/merge_entry.h"
#include "revctl/list/merge_numbers.h"
#include "revctl/list/merge_order.h"
#include "revctl/list/merge_sides.h"
#include "revctl/list/merge_versions.h"
#include "revctl/list/numbering.h"

namespace revctl::list {
namespace {

using detail::Anchor;
using detail::Body;
using detail::Item;
using detail::MergedEntry;
using detail::PendingItem;
using detail::Piece;
using detail::Placed;
using detail::Side;
using findings::Error;
using findings::Exit;

/// A pending revision on its way into the merged list.
struct Arrival {
  MergedEntry entry;
  std::vector<Item> aliases;
  std::vector<std::string> context;
  bool first_of_side = false;  ///< nothing pending stood above it in its side
};

/// An entry of the merged frame and where it stands.
struct FrameEntry {
  MergedEntry entry;
  Anchor anchor;
  bool revision = false;
};

class Merger {
 public:
  Merger(const MergeInput& input, const MergeContext& context, const ListConfig& config)
      : input_(input), context_(context), config_(config), reservations_(context) {
    marking_ = {input.marker_size, input.ours_label, input.theirs_label};
  }

  findings::Result<MergeOutput> Run(std::string_view base_text, std::string_view ours_text, std::string_view theirs_text) {
    if (auto failed = Read(base_text, ours_text, theirs_text)) return *failed;
    MergeFrame();
    if (!CollectPending()) return Impossible("an entry is a pending revision on one side and a name on the other");
    AssembleFrame();
    if (!PlacePending()) return Impossible("a conditional changed on both sides where new revisions go");
    if (follows_latest_) detail::MoveCurrent(body_, current_);
    auto text = detail::RenderNumbered(body_, config_, std::string(input_.path));
    if (!text) return text.error();
    out_.text = *std::move(text);
    if (!out_.conflict) return std::move(out_);
    return WithMarkers();
  }

 private:
  const Side& Base() const { return *base_side_; }
  const Side& Ours() const { return *ours_side_; }
  const Side& Theirs() const { return *theirs_side_; }
  const Side& Target() const { return *target_side_; }

  Error Impossible(const std::string& why) const { return {Exit::Findings, std::string(input_.path) + ": " + why, {}}; }

  void Say(std::string message) { out_.messages.push_back(std::string(input_.path) + ": " + std::move(message)); }

  std::optional<Error> Read(std::string_view base_text, std::string_view ours_text, std::string_view theirs_text) {
    const auto style = detail::Pick(detail::StyleOf(base_text.empty() ? ours_text : base_text), detail::StyleOf(ours_text),
                                    detail::StyleOf(theirs_text), [](auto a, auto b) {
                                      return detail::FileStyle{a.carriage_returns && b.carriage_returns, a.byte_order_mark && b.byte_order_mark};
                                    });
    line_end_ = style.carriage_returns ? "\r\n" : "\n";
    const auto parse = [&](std::string_view text) { return Parse(detail::InStyle(text, style), config_, input_.path); };
    auto ours = parse(ours_text), theirs = parse(theirs_text);
    if (!ours) return ours.error();
    if (!theirs) return theirs.error();
    // A base that cannot be read is none: the sides decide, and what they do not agree on is a conflict.
    std::optional<RevisionList> base, parsed_target;
    if (!base_text.empty()) {
      auto parsed = parse(base_text);
      if (parsed) base = *std::move(parsed);
    }
    const RevisionList* target = nullptr;
    if (context_.landed_known && !context_.landed_text.empty()) {
      // The target mostly is one of the versions at hand.
      if (context_.landed_text == theirs_text) target = &*theirs;
      else if (context_.landed_text == ours_text) target = &*ours;
      else if (context_.landed_text == base_text && base) target = &*base;
      if (target == nullptr) {
        auto parsed = parse(context_.landed_text);
        if (!parsed) return Error{Exit::Findings, "the list of the target branch cannot be read: " + parsed.error().message, parsed.error().fix};
        target = &parsed_target.emplace(*std::move(parsed));
      }
    }
    // Without a target, what both sides come from is taken for landed: it is what both must keep.
    if (context_.landed_known ? target != nullptr : base.has_value()) landed_ = detail::LandedOf(context_.landed_known ? *target : *base);
    const auto split = [&](const RevisionList& list) { return std::make_shared<const Side>(detail::SplitSide(list, config_, landed_)); };
    ours_side_ = split(*ours);
    theirs_side_ = split(*theirs);
    base_side_ = base ? split(*base) : std::make_shared<const Side>();
    target_side_ = target == nullptr ? std::make_shared<const Side>() : target == &*ours ? ours_side_ : target == &*theirs ? theirs_side_
                   : base && target == &*base ? base_side_ : split(*target);
    if (!base && target != nullptr) {  // a list that both sides added is likely the target's
      Side outside;
      outside.body.before = target_side_->body.before;
      outside.body.after = target_side_->body.after;
      base_side_ = std::make_shared<const Side>(std::move(outside));
    }
      if (Ours().body.comma_first != Theirs().body.comma_first) return Impossible("one side writes its commas first, the other last");
    newest_first_ = Ours().revisions + Theirs().revisions > 2 && (Ours().newest_first || Ours().revisions < 2) &&
                    (Theirs().newest_first || Theirs().revisions < 2);
    current_ = Ours().current == Theirs().current ? Ours().current : std::string();
    follows_latest_ = !current_.empty() && (!config_.current.empty() || (Ours().current_is_latest && Theirs().current_is_latest));
    return std::nullopt;
  }

  detail::EntryRules Rules() const { return {context_.text_merge, marking_, line_end_, {}, false, false}; }

  /// The base's version of a frame entry; the target's where both sides have it from there.
  const Item* BaseItem(const std::string& name) const {
    const Item* const base = Base().Frame(name);
    return base != nullptr ? base : Target().Frame(name);
  }

  // ---- what stays where it is --------------------------------------------------------------------------------------

  void MergeFrame() {
    std::unordered_set<std::string_view> done;
    frame_.reserve(Ours().body.items.size() + 16);
    for (const Side* side : {&Ours(), &Theirs(), &Base()}) {
      for (const Item& item : side->body.items) {
        if (done.insert(item.name).second) MergeFrameEntry(item.name);
      }
    }
  }

  void MergeFrameEntry(const std::string& name) {
    const Item* const base = BaseItem(name);
    const Item* const ours = Ours().Frame(name);
    const Item* const theirs = Theirs().Frame(name);
    const bool landed = landed_.Has(name);
    FrameEntry merged;
    if (ours == nullptr || theirs == nullptr) {
      const bool deleted = Base().Frame(name) != nullptr;
      const Item* const kept = ours != nullptr ? ours : theirs;
      if (!landed) {
        if (kept == nullptr) return;
        if (deleted && kept->Chunk(true) == base->Chunk(true)) return;
        if (TravelsElsewhere(name)) return;
        if (deleted) Say(name + " is kept: one side deletes it, the other changed it");
      } else {
        if (deleted && Renamed(name, base, ours, theirs, merged)) {
          frame_.push_back(std::move(merged));
          return;
        }
        if (deleted) Say(name + " is kept: it has landed, so it stays, with a new revision to undo what it did");
      }
      merged.entry.item = kept != nullptr ? *kept : *base;
    } else {
      detail::EntryRules rules = Rules();
      if (landed) rules.number = landed_.order[landed_.index.at(name)].second;
      rules.frozen = landed;
      rules.moves_by_itself = follows_latest_ && name == current_;
      merged.entry = detail::MergeEntry(base, ours, theirs, rules);
      if (merged.entry.conflict) Conflict(name + " " + merged.entry.why);
      if (!merged.entry.gap_marked.empty()) Conflict("what stands above " + name + " was changed in two ways");
    }
    merged.revision = landed && merged.entry.item.kind == EntryKind::Revision;
    merged.anchor = merged.revision ? Anchor{static_cast<std::ptrdiff_t>(landed_.index.at(name))} : MergedAnchor(name);
    if (merged.revision) merged.entry.item.number = landed_.order[landed_.index.at(name)].second;
    frame_.push_back(std::move(merged));
  }

  void Conflict(const std::string& message) {
    out_.conflict = true;
    Say("conflict: " + message);
  }

  /// A name that one side moved along with a pending revision.
  bool TravelsElsewhere(const std::string& name) const {
    for (const Side* side : {&Ours(), &Theirs()}) {
      for (const PendingItem& pending : side->pending) {
        for (const Item& alias : pending.aliases) {
          if (alias.name == name) return true;
        }
      }
    }
    return false;
  }

  /// One side has, instead of a landed entry, a new one on its number: a landed revision cannot be renamed.
  bool Renamed(const std::string& name, const Item* base, const Item* ours, const Item* theirs, FrameEntry& merged) {
    if (base == nullptr || (ours == nullptr) == (theirs == nullptr)) return false;
    const Side& side = ours == nullptr ? Ours() : Theirs();
    const Item& kept = ours == nullptr ? *theirs : *ours;
    for (const PendingItem& pending : side.pending) {
      if (pending.item.number != base->number || Base().Pending(pending.item.name) != nullptr) continue;
      const std::string other = pending.item.Chunk(true), mine = kept.Chunk(true);
      merged.entry.item = kept;
      merged.entry.conflict = true;
      merged.entry.marked = detail::Marked(ours == nullptr ? other : mine, ours == nullptr ? mine : other, marking_, line_end_);
      merged.revision = true;
      merged.anchor = {static_cast<std::ptrdiff_t>(landed_.index.at(name))};
      merged.entry.item.number = landed_.order[landed_.index.at(name)].second;
      dropped_.insert(pending.item.name);
      Conflict(name + " has landed, and one side renames it to " + pending.item.name);
      return true;
    }
    return false;
  }

  static const Anchor* AnchorIn(const Side& side, const std::string& name) {
    const auto found = side.frame_index.find(name);
    return found == side.frame_index.end() ? nullptr : &side.anchors[found->second];
  }

  Anchor MergedAnchor(const std::string& name) const {
    const Anchor* const base = AnchorIn(Base(), name);
    const Anchor* const ours = AnchorIn(Ours(), name);
    const Anchor* const theirs = AnchorIn(Theirs(), name);
    if (ours == nullptr || theirs == nullptr) return ours != nullptr ? *ours : theirs != nullptr ? *theirs : Anchor{};
    const auto later = [](const Anchor& a, const Anchor& b) { return a.behind >= b.behind ? a : b; };
    return base != nullptr ? detail::Pick(*base, *ours, *theirs, later) : later(*ours, *theirs);
  }

  /// Landed revisions in the target's order, everything else behind its anchor.
  void AssembleFrame() {
    std::map<std::ptrdiff_t, std::vector<std::string>> members;
    for (const FrameEntry& entry : frame_) {
      if (!entry.revision) members[entry.anchor.behind].push_back(entry.entry.item.name);
    }
    std::map<std::string, std::size_t> rank;
    for (const auto& [behind, names] : members) {
      if (names.size() < 2) continue;
      const std::set<std::string> group(names.begin(), names.end());
      std::vector<std::vector<std::string>> orders;
      for (const Side* side : {&Ours(), &Theirs()}) {
        orders.emplace_back();
        for (const Item& item : side->body.items) {
          if (group.contains(item.name)) orders.back().push_back(item.name);
        }
      }
      std::size_t place = 0;
      for (const std::string& name : detail::MergedOrder(orders)) rank[name] = place++;
    }
    const auto key = [&rank](const FrameEntry& entry) {
      const auto found = rank.find(entry.entry.item.name);
      return std::make_tuple(entry.anchor.behind, entry.revision ? 0 : 1, found == rank.end() ? std::size_t{0} : found->second);
    };
    const auto earlier = [&key](const FrameEntry& a, const FrameEntry& b) { return key(a) < key(b); };
    if (!std::is_sorted(frame_.begin(), frame_.end(), earlier)) std::stable_sort(frame_.begin(), frame_.end(), earlier);
    body_.items.reserve(frame_.size() + arrivals_.size() + 16);

    const auto piece = [this](std::string Body::*part, const std::string& what, std::string& marked) {
      Piece merged = detail::MergePiece({Base().body.*part, Ours().body.*part, Theirs().body.*part}, context_.text_merge, marking_, line_end_);
      if (merged.conflict) {
        Conflict(what + " was changed in two ways");
        marked = std::move(merged.marked);
      }
      body_.*part = std::move(merged.text);
    };
    piece(&Body::before, "the text above the entries", before_marked_);
    piece(&Body::end_gap, "what stands below the last entry", end_gap_marked_);
    piece(&Body::after, "the text below the entries", after_marked_);
    body_.line_end = line_end_;
    body_.comma_first = Ours().body.comma_first;
    body_.brace_on_line = Ours().body.brace_on_line && Theirs().body.brace_on_line;
    body_.trailing_comma = detail::Pick(Base().body.trailing_comma, Ours().body.trailing_comma, Theirs().body.trailing_comma,
                                        [](bool a, bool b) { return a || b; });
    for (FrameEntry& entry : frame_) {
      Item& item = entry.entry.item;
      item.comma_elsewhere = body_.comma_first;
      if (entry.entry.conflict) marked_[item.name] = entry.entry.marked;
      if (!entry.entry.gap_marked.empty()) gaps_marked_[item.name] = entry.entry.gap_marked;
      if (!body_.items.empty() && item.OwnLine() && !body_.items.back().OwnLine()) body_.items.back().tail += line_end_;
      body_.items.push_back(std::move(item));
    }
    if (body_.comma_first && !body_.items.empty()) body_.items.back().comma_elsewhere = false;
  }

  // ---- what goes to the end ----------------------------------------------------------------------------------------

  bool CollectPending() {
    for (const Side* side : {&Ours(), &Theirs()}) {
      for (const PendingItem& pending : side->pending) {
        const std::string& name = pending.item.name;
        if (arrivals_.contains(name) || dropped_.contains(name)) continue;
        if (Ours().Frame(name) != nullptr || Theirs().Frame(name) != nullptr) return false;
        MergePending(name);
      }
    }
    return true;
  }

  void MergePending(const std::string& name) {
    const PendingItem* const base = Base().Pending(name);
    const PendingItem* const ours = Ours().Pending(name);
    const PendingItem* const theirs = Theirs().Pending(name);
    if ((ours == nullptr || theirs == nullptr) && base != nullptr) {
      const PendingItem& kept = ours != nullptr ? *ours : *theirs;
      if (kept.item.Chunk(true) == base->item.Chunk(true) && kept.item.number == base->item.number) return;
      Say(name + " is kept: one side deletes it, the other changed it");
    }
    const std::int64_t number = AgreedNumber(name, base, ours, theirs);
    const auto renumbered = [number](const PendingItem* pending, Item& copy) -> const Item* {
      if (pending == nullptr) return nullptr;
      copy = pending->item;
      detail::RenumberComments(copy, copy.number, number);
      return &copy;
    };
    Item base_copy, ours_copy, theirs_copy;
    const Item* const base_item = renumbered(base, base_copy);
    const Item* const ours_item = renumbered(ours, ours_copy);
    const Item* const theirs_item = renumbered(theirs, theirs_copy);
    detail::EntryRules rules = Rules();
    rules.number = number;
    Arrival arrival;
    arrival.entry = detail::MergeEntry(base_item, ours_item, theirs_item, rules);
    arrival.entry.item.number = number;
    // Blank lines and free comments above it that both sides changed: one version is enough.
    arrival.entry.gap_marked.clear();
    if (arrival.entry.conflict) Conflict(name + " " + arrival.entry.why);
    MergeAliases(ours, theirs, arrival);
    arrival.context = ours == nullptr ? theirs->context : theirs == nullptr ? ours->context
                      : detail::Pick(base != nullptr ? base->context : ours->context, ours->context, theirs->context,
                                     [](const auto& a, const auto& b) { return std::min(a, b); });
    arrival.first_of_side = (ours != nullptr && ours == Ours().pending.data()) || (theirs != nullptr && theirs == Theirs().pending.data());
    arrivals_.emplace(name, std::move(arrival));
  }

  std::int64_t AgreedNumber(const std::string& name, const PendingItem* base, const PendingItem* ours, const PendingItem* theirs) const {
    if (ours == nullptr || theirs == nullptr) return ours != nullptr ? ours->item.number : theirs->item.number;
    const std::int64_t a = ours->item.number, b = theirs->item.number;
    // A reservation settles it, unless it can no longer land.
    const auto reserved = reservations_.Of(name);
    const bool can_land = reserved && (landed_.order.empty() || *reserved > landed_.highest);
    if (can_land && (*reserved == a || *reserved == b)) return *reserved;
    if (base == nullptr) return std::max(a, b);
    return detail::Pick(base->item.number, a, b, [](std::int64_t x, std::int64_t y) { return std::max(x, y); });
  }

  /// Names for a pending revision: those of both sides, each once.
  void MergeAliases(const PendingItem* ours, const PendingItem* theirs, Arrival& arrival) {
    std::map<std::string, std::pair<const Item*, const Item*>> aliases;
    std::vector<std::vector<std::string>> orders(2);
    for (const PendingItem* side : {ours, theirs}) {
      if (side == nullptr) continue;
      for (const Item& alias : side->aliases) {
        (side == ours ? aliases[alias.name].first : aliases[alias.name].second) = &alias;
        orders[side == ours ? 0 : 1].push_back(alias.name);
      }
    }
    for (const std::string& name : detail::MergedOrder(orders)) {
      const auto& [mine, other] = aliases[name];
      MergedEntry merged = detail::MergeEntry(BaseItem(name), mine, other, Rules());
      if (merged.conflict) Conflict(name + " " + merged.why);
      if (merged.conflict) marked_[name] = merged.marked;
      arrival.aliases.push_back(std::move(merged.item));
    }
  }

  bool PlacePending() {
    std::size_t at = 0;
    std::vector<std::size_t> ends{0};  // places within the gap behind the last landed revision: its start, behind each directive
    std::vector<std::vector<std::string>> contexts;
    FindPlace(at, ends, contexts);
    std::vector<Placed> placed;
    for (const auto& [name, arrival] : arrivals_) {
      const auto found = std::find(contexts.begin(), contexts.end(), arrival.context);
      Placed one;
      one.name = name;
      one.position = found == contexts.end() ? 0 : static_cast<std::size_t>(found - contexts.begin());
      one.number = arrival.entry.item.number;
      placed.push_back(std::move(one));
    }
    detail::AssignNumbers(placed, reservations_, landed_.order.empty() ? std::nullopt : std::optional(landed_.highest));
    std::size_t consumed = 0;
    std::set<std::string> first_gaps;
    for (const Placed& one : placed) {
      Arrival& arrival = arrivals_.at(one.name);
      Item item = std::move(arrival.entry.item);
      Announce(one);
      if (one.assigned != one.number) {
        detail::RenumberComments(item, one.number, one.assigned);
        if (item.Explicit()) detail::SetNumber(body_, item, one.assigned);
      }
      item.number = one.assigned;
      item.comma_elsewhere = false;
      if (arrival.entry.conflict) marked_[item.name] = arrival.entry.marked;
      // Both sides began their own block below the landed ones in the same way: once is enough.
      if (arrival.first_of_side && !item.gap.empty() && !first_gaps.insert(item.gap).second) item.gap.clear();
      if (newest_first_) {
        detail::Insert(body_, at, std::move(item), true);
        for (Item& alias : arrival.aliases) detail::Insert(body_, at + 1, std::move(alias));
        continue;
      }
      if (ends[one.position] > consumed) {
        std::string& gap = at < body_.items.size() ? body_.items[at].gap : body_.end_gap;
        const bool marked = at < body_.items.size() ? gaps_marked_.contains(body_.items[at].name) : !end_gap_marked_.empty();
        if (marked) return false;
        const std::size_t length = ends[one.position] - consumed;
        item.gap = gap.substr(0, length) + item.gap;
        gap.erase(0, length);
        consumed += length;
      }
      detail::Insert(body_, at++, std::move(item));
      for (Item& alias : arrival.aliases) detail::Insert(body_, at++, std::move(alias));
    }
    return true;
  }

  /// Where pending revisions go, and which conditionals are open at each place there.
  void FindPlace(std::size_t& at, std::vector<std::size_t>& ends, std::vector<std::vector<std::string>>& contexts) const {
    const auto& items = body_.items;
    const auto is_revision = [](const Item& item) { return item.kind == EntryKind::Revision; };
    std::vector<std::string> context;
    if (newest_first_) {
      at = static_cast<std::size_t>(std::find_if(items.begin(), items.end(), is_revision) - items.begin());
      contexts.emplace_back();
      return;
    }
    at = items.size();
    while (at > 0 && !is_revision(items[at - 1])) --at;
    if (at == 0) {  // nothing has landed: above what counts or follows the revisions
      while (at < items.size() && AnchorOf(items[at].name).behind != Anchor::kEnd) ++at;
    } else {
      const std::string last = items[at - 1].name;
      while (at < items.size() && items[at].alias_of == last && items[at].name != current_ && items[at].name != config_.oldest &&
             detail::DirectivesIn(items[at].gap).empty()) {
        ++at;
      }
    }
    for (std::size_t i = 0; i < at; ++i) context = detail::ContextBehind(std::move(context), items[i].gap);
    const std::string& gap = at < items.size() ? items[at].gap : body_.end_gap;
    contexts.push_back(context);
    for (const detail::GapLine& line : detail::DirectivesIn(gap)) {
      context = detail::ContextBehind(std::move(context), std::string_view(gap).substr(line.span.begin, line.span.end - line.span.begin));
      contexts.push_back(context);
      ends.push_back(line.span.end);
    }
  }

  Anchor AnchorOf(const std::string& name) const { return MergedAnchor(name); }

  void Announce(const Placed& one) {
    for (const Side* side : {&Ours(), &Theirs()}) {
      const PendingItem* const pending = side->Pending(one.name);
      if (pending == nullptr || pending->item.number == one.assigned) continue;
      Say(one.name + " was " + std::to_string(pending->item.number) + " and is provisionally " + std::to_string(one.assigned) +
          "; `revctl renumber` confirms it");
      return;
    }
  }

  // ---- conflicts ---------------------------------------------------------------------------------------------------

  /// Puts the marked texts in place of those that the list was evaluated with.
  findings::Result<MergeOutput> WithMarkers() {
    for (Item& item : body_.items) {
      if (const auto gap = gaps_marked_.find(item.name); gap != gaps_marked_.end()) item.gap = gap->second;
      const auto found = marked_.find(item.name);
      if (found == marked_.end()) continue;
      item.lead.clear();
      item.assign.clear();
      item.initializer.clear();
      item.tail.clear();
      item.head = found->second;
      item.comma_elsewhere = true;
    }
    if (!before_marked_.empty()) body_.before = before_marked_;
    if (!end_gap_marked_.empty()) body_.end_gap = end_gap_marked_;
    if (!after_marked_.empty()) body_.after = after_marked_;
    out_.text = body_.Render();
    // Markers count only at the start of a line; where the list has no lines of its own they cannot be placed.
    if (!MarkersBeginLines()) return Impossible("a conflict in a list of one line");
    return std::move(out_);
  }

  bool MarkersBeginLines() const {
    const std::string opening(static_cast<std::size_t>(std::max(input_.marker_size, 1)), '<');
    for (std::size_t at = out_.text.find(opening); at != std::string::npos; at = out_.text.find(opening, at + opening.size())) {
      if (at != 0 && out_.text[at - 1] != '\n') return false;
    }
    return true;
  }

  const MergeInput& input_;
  const MergeContext& context_;
  const ListConfig& config_;
  detail::Reservations reservations_;
  detail::Marking marking_;
  std::string line_end_ = "\n";
  detail::Landed landed_;
  std::shared_ptr<const Side> base_side_, ours_side_, theirs_side_, target_side_;
  bool newest_first_ = false, follows_latest_ = false;
  std::string current_;
  std::vector<FrameEntry> frame_;
  std::map<std::string, Arrival> arrivals_;
  std::set<std::string> dropped_;
  Body body_;
  std::map<std::string, std::string> marked_, gaps_marked_;  ///< by name of the entry
  std::string before_marked_, end_gap_marked_, after_marked_;
  MergeOutput out_;
};

}  // namespace

namespace detail {

findings::Result<MergeOutput> MergeVersions(const MergeInput& input, const MergeContext& context, const ListConfig& config) {
  return Merger(input, context, config).Run(input.base, input.ours, input.theirs);
}

}  // namespace detail
}  // namespace revctl::list
