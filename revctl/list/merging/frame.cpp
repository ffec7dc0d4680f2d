// Merges the frame of a list: landed revisions, aliases, and the text around entries. The frame
// stays in place, while pending revisions go to the end.
#include <fmt/core.h>
#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "revctl/list/merging/order.h"
#include "revctl/list/merging/work.h"
#include "revctl/list/writing/entry_style.h"

namespace revctl::list::detail {
namespace {

struct FrameEntry {
  MergedEntry entry;
  Anchor anchor;
  bool revision = false;
};

class FrameMerge {
 public:
  explicit FrameMerge(MergeWork& work) : work_(work), sides_(work.sides) {}

  void Run() {
    std::unordered_set<std::string_view> done;
    frame_.reserve(sides_.ours->body.items.size() + 16);
    for (const auto& side : {sides_.ours, sides_.theirs, sides_.base}) {
      for (const Item& item : side->body.items) {
        if (done.insert(item.name).second) MergeOne(item.name);
      }
    }
    TellLeftOut();
    Sort();
    MergeSurroundings();
    Assemble();
  }

 private:
  void MergeOne(const std::string& name) {
    const Item* const base = sides_.BaseItem(name);
    const Item* const ours = sides_.ours->Frame(name);
    const Item* const theirs = sides_.theirs->Frame(name);
    const bool landed = sides_.landed.Has(name);
    FrameEntry merged;
    if (ours == nullptr || theirs == nullptr) {
      if (!Kept(name, base, ours != nullptr ? ours : theirs)) return;
      merged.entry.item = ours != nullptr ? *ours : theirs != nullptr ? *theirs : *base;
    } else {
      merged.entry = MergeBoth(name, base, *ours, *theirs, landed);
    }
    if (landed && (ours == nullptr || theirs == nullptr)) LeaveRenamed(name, merged.entry);
    merged.revision = landed && merged.entry.item.kind == EntryKind::Revision;
    if (merged.revision) {
      merged.anchor = {static_cast<std::ptrdiff_t>(sides_.landed.index.at(name))};
      merged.entry.item.number = sides_.LandedNumber(name);
    } else {
      merged.anchor = sides_.MergedAnchor(name);
    }
    frame_.push_back(std::move(merged));
  }

  /// True if the merged list keeps an entry that one or both sides lack.
  bool Kept(const std::string& name, const Item* base, const Item* kept) {
    const bool deleted = sides_.base->Frame(name) != nullptr;
    if (work_.config.purged.contains(name) && sides_.landed.Has(name)) {
      if (kept != nullptr && (!deleted || kept->Chunk(true) != base->Chunk(true))) {
        work_.Say(name +
                  " stays removed, because it was purged after landing; one side's edit to it is "
                  "dropped");
      }
      return false;
    }
    if (sides_.landed.Has(name)) {
      if (deleted && NotOnRelease(name)) {
        left_out_.push_back(name);
        return false;
      }
      if (deleted && HeirOn(*sides_.ours, name) == nullptr &&
          HeirOn(*sides_.theirs, name) == nullptr)
        work_.Say(name + " is kept, because it has landed. To undo it, add a new revision");
      return true;
    }
    if (deleted && Restores(name)) {
      work_.Say(name + " is restored to its landed version");
      return true;
    }
    if (kept == nullptr || (deleted && kept->Chunk(true) == base->Chunk(true)) ||
        TravelsElsewhere(name))
      return false;
    if (deleted) work_.Say(name + " is kept, because one side deletes it and the other changes it");
    return true;
  }

  /// If `side` lacks the landed revision `name` but the base has it, returns the pending revision
  /// of `side` that has its number. Otherwise returns null.
  const PendingItem* HeirOn(const Side& side, const std::string& name) const {
    const auto found = side.pending_by_number.find(sides_.LandedNumber(name));
    if (side.Frame(name) != nullptr || sides_.base->Frame(name) == nullptr ||
        found == side.pending_by_number.end())
      return nullptr;
    const PendingItem& heir = side.pending[found->second];
    return sides_.base->Pending(heir.item.name) == nullptr ? &heir : nullptr;
  }

  bool IsRenamed(std::string_view side, const std::string& name, const std::string& heir) const {
    const auto& reserved = work_.context.reservations;
    return work_.context.renamed && work_.context.renamed(side, name, heir) &&
           std::none_of(reserved.begin(), reserved.end(),
                        [&](const auto& one) { return one.first == heir; });
  }

  /// Handles a landed revision that one side lacks, if a pending revision on that side has its
  /// number. If that side renamed the landed revision, leaves both versions between markers.
  /// Otherwise keeps both revisions, because an older branch may have taken the number before the
  /// revision landed.
  void LeaveRenamed(const std::string& name, MergedEntry& merged) {
    std::string texts[2], heir;
    bool renamed = false;
    for (const bool mine : {true, false}) {
      const Side& side = mine ? *sides_.ours : *sides_.theirs;
      const Item* const kept = side.Frame(name);
      const PendingItem* const found = HeirOn(side, name);
      std::string& text = texts[mine ? 0 : 1];
      if (kept != nullptr) text = kept->Chunk(true);
      if (found == nullptr) continue;
      heir = found->item.name;
      renamed = renamed || IsRenamed(mine ? work_.input.ours : work_.input.theirs, name, heir);
      text = found->item.Chunk(true);
      for (const Item& alias : found->aliases) text += alias.Chunk(true);
    }
    if (heir.empty()) return;
    const std::int64_t number = sides_.LandedNumber(name);
    if (!renamed) {
      return work_.Say(fmt::format(
          "{} is kept, because it has landed as {}. {} has the same number on one side, so it gets "
          "a new one. If {} is only a new name for {}, write {} = {} instead",
          name, number, heir, heir, name, heir, name));
    }
    merged.conflict = true;
    merged.marked = Marked(texts[0], texts[1], work_.marking);
    work_.renamed.insert(heir);
    work_.Conflict(fmt::format(
        "{0} has landed as {1}, but one side calls it {2}. Keep {0} = {1}; if {2} is a new name "
        "for it, add {2} = {0} below it; if {2} is a separate revision, run revctl reserve {2}",
        name, number, heir));
  }

  /// True if this merge repairs a list (see Restore()) and `name` is an alias, sentinel or
  /// `current` of the target, which a repair must restore as well.
  bool Restores(const std::string& name) const {
    return work_.input.restores && !sides_.landed.Has(name) &&
           sides_.target->Frame(name) != nullptr;
  }

  /// True if a side that lacks the revision is a release. In that case, nobody deleted the
  /// revision: the release never had it.
  bool NotOnRelease(const std::string& name) {
    if (!work_.context.on_release) return false;
    const auto lacks = [&](const Side& side, std::string_view text, std::optional<bool>& release) {
      if (side.Frame(name) != nullptr) return false;
      if (!release) release = work_.context.on_release(text);
      return *release;
    };
    return lacks(*sides_.ours, work_.input.ours, ours_release_) ||
           lacks(*sides_.theirs, work_.input.theirs, theirs_release_);
  }

  void TellLeftOut() {
    if (left_out_.empty()) return;
    const std::string& first = left_out_.front();
    work_.Say(fmt::format(
        "{} ({}){} left out: on a release branch, a cherry-pick adds only the entries that its "
        "commit added. If this is a release branch, run `revctl check`; otherwise, the next merge "
        "of the target "
        "adds the rest",
        first, sides_.LandedNumber(first),
        left_out_.size() == 1 ? " is" : fmt::format(" and {} more are", left_out_.size() - 1)));
  }

  MergedEntry MergeBoth(const std::string& name, const Item* base, const Item& ours,
                        const Item& theirs, bool landed) {
    EntryRules rules = work_.Rules();
    if (landed) rules.number = sides_.LandedNumber(name);
    rules.frozen = landed;
    rules.arrived = landed && sides_.base->Frame(name) == nullptr;
    rules.moves_by_itself =
        (sides_.follows_latest && name == sides_.current) || sides_.latest_numbers.contains(name);
    MergedEntry merged;
    const bool demoted = landed && work_.input.restores && ours.kind != theirs.kind;
    if (Restores(name) && !rules.moves_by_itself) {
      merged.item = theirs;
    } else if (demoted) {
      const Item mine = AsLanded(ours, theirs);
      merged = MergeEntry(base, &mine, &theirs, rules);
    } else if (landed && IsOutdated(name, base, ours, theirs)) {
      const Item mine = AsLanded(ours, *base), other = AsLanded(theirs, *base);
      merged = MergeEntry(base, &mine, &other, rules);
    } else {
      merged = MergeEntry(base, &ours, &theirs, rules);
    }
    if (merged.conflict) work_.Conflict(fmt::format("{} {}", name, merged.why));
    if (!merged.gap_marked.empty())
      work_.Conflict(fmt::format("both sides changed the lines above {}", name));
    return merged;
  }

  /// True if the commit being cherry-picked or reverted contains the number that the revision
  /// had before it landed.
  bool IsOutdated(const std::string& name, const Item* base, const Item& ours, const Item& theirs) {
    const std::int64_t number = sides_.LandedNumber(name);
    if (base == nullptr || base->number != number ||
        (ours.number == number && theirs.number == number) || !work_.context.knew_landed)
      return false;
    const auto older = [&](const Item& item, std::string_view text) {
      return item.number == number ||
             (item.kind == base->kind && !work_.context.knew_landed(text, name, number));
    };
    if (!older(ours, work_.input.ours) || !older(theirs, work_.input.theirs)) return false;
    work_.Say(fmt::format("{} keeps its landed number {}; {} is outdated", name, number,
                          ours.number == number ? theirs.number : ours.number));
    return true;
  }

  /// Returns `item` with the number of `landed`, spelled as in `landed`. Keeps the comments of
  /// `item`.
  static Item AsLanded(Item item, const Item& landed) {
    if (item.number == landed.number && item.kind == landed.kind) return item;
    RenumberComments(item, item.number, landed.number);
    item.kind = landed.kind;
    item.alias_of = landed.alias_of;
    item.one_below = landed.one_below;
    item.assign = landed.assign;
    item.initializer = landed.initializer;
    item.number = landed.number;
    return item;
  }

  /// True if one side has moved the alias next to a pending revision.
  bool TravelsElsewhere(const std::string& name) const {
    for (const auto& side : {sides_.ours, sides_.theirs}) {
      for (const PendingItem& pending : side->pending) {
        const bool has = std::any_of(pending.aliases.begin(), pending.aliases.end(),
                                     [&](const Item& alias) { return alias.name == name; });
        if (has && !sides_.IsGone(pending.item.name)) return true;
      }
    }
    return false;
  }

  /// Sorts landed revisions in the target's order, and puts every other entry after the landed
  /// revision that it is anchored to.
  void Sort() {
    std::map<std::ptrdiff_t, std::vector<std::string>> members;
    for (const FrameEntry& entry : frame_) {
      if (!entry.revision) members[entry.anchor.behind].push_back(entry.entry.item.name);
    }
    std::map<std::string, std::size_t> rank;
    for (const auto& [behind, names] : members) {
      if (names.size() < 2) continue;
      const std::set<std::string> group(names.begin(), names.end());
      std::vector<std::vector<std::string>> orders;
      for (const auto& side : {sides_.ours, sides_.theirs}) {
        orders.emplace_back();
        for (std::size_t i = 0; i < side->body.items.size(); ++i) {
          // Ignore the name on a side that anchors it to a different landed revision.
          const std::string& name = side->body.items[i].name;
          if (side->anchors[i].behind == behind && group.contains(name))
            orders.back().push_back(name);
        }
      }
      std::size_t place = 0;
      for (const std::string& name : MergedOrder(orders)) rank[name] = place++;
    }
    const auto key = [&rank](const FrameEntry& entry) {
      const auto found = rank.find(entry.entry.item.name);
      return std::make_tuple(entry.anchor.behind, entry.revision ? 0 : 1,
                             found == rank.end() ? std::size_t{0} : found->second);
    };
    const auto earlier = [&key](const FrameEntry& a, const FrameEntry& b) {
      return key(a) < key(b);
    };
    if (!std::is_sorted(frame_.begin(), frame_.end(), earlier))
      std::stable_sort(frame_.begin(), frame_.end(), earlier);
  }

  void MergeSurroundings() {
    const Body &base = sides_.base->body, &ours = sides_.ours->body, &theirs = sides_.theirs->body;
    const auto piece = [&](std::string Body::*part, const std::string& what, std::string& marked) {
      Piece merged = MergePiece({base.*part, ours.*part, theirs.*part}, work_.context.text_merge,
                                work_.marking);
      if (merged.conflict) {
        work_.Conflict(what + " was changed on both sides");
        marked = std::move(merged.marked);
      }
      work_.body.*part = std::move(merged.text);
    };
    piece(&Body::before, "the text above the entries", work_.marked.before);
    piece(&Body::end_gap, "the text below the last entry", work_.marked.end_gap);
    MergeBelow(base.after, ours.after, theirs.after);
    Body& body = work_.body;
    body.line_end = sides_.line_end;
    body.comma_first = ours.comma_first;
    body.brace_on_line = ours.brace_on_line && theirs.brace_on_line;
    body.trailing_comma = Pick(base.trailing_comma, ours.trailing_comma, theirs.trailing_comma,
                               [](bool a, bool b) { return a || b; });
  }

  /// Merges the rest of the file, beginning at the closing brace. The indentation of the brace is
  /// merged separately, because it changes together with the list's last entry.
  void MergeBelow(const std::string& base, const std::string& ours, const std::string& theirs) {
    const auto cut = [](const std::string& text) {
      return std::min(text.find_first_not_of(" \t"), text.size());
    };
    const std::string indent =
        Pick(base.substr(0, cut(base)), ours.substr(0, cut(ours)), theirs.substr(0, cut(theirs)),
             [](const std::string& a, const std::string& b) { return std::min(a, b); });
    const Piece merged = MergePiece(
        {std::string_view(base).substr(cut(base)), std::string_view(ours).substr(cut(ours)),
         std::string_view(theirs).substr(cut(theirs))},
        work_.context.text_merge, work_.marking);
    work_.body.after = indent + merged.text;
    if (!merged.conflict) return;
    work_.Conflict("both sides changed the text below the entries");
    const bool line_begins =
        merged.marked.starts_with('<');  // a marker must be at the start of its line
    work_.marked.after = (line_begins ? "" : indent) + merged.marked;
  }

  void Assemble() {
    auto& items = work_.body.items;
    items.reserve(frame_.size() + 16);
    const auto add = [&](Item item) {
      item.comma_elsewhere = work_.body.comma_first;
      if (!items.empty() && item.begins_line && !items.back().OwnLine() &&
          item.gap.find('\n') == std::string::npos)
        items.back().tail += sides_.line_end;
      items.push_back(std::move(item));
    };
    for (FrameEntry& entry : frame_) {
      const std::string name = entry.entry.item.name;
      if (entry.entry.conflict) work_.marked.entries[name] = entry.entry.marked;
      if (!entry.entry.gap_marked.empty()) work_.marked.gaps[name] = entry.entry.gap_marked;
      add(std::move(entry.entry.item));
    }
    if (work_.body.comma_first && !items.empty()) items.back().comma_elsewhere = false;
  }

  MergeWork& work_;
  const MergeSides& sides_;
  std::vector<FrameEntry> frame_;
  std::vector<std::string> left_out_;  ///< landed revisions that must not be added to a release
  /// whether the side is a release; cached, because each call compares whole texts
  std::optional<bool> ours_release_, theirs_release_;
};

}  // namespace

void MergeFrame(MergeWork& work) { FrameMerge(work).Run(); }

}  // namespace revctl::list::detail
