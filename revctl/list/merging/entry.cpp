#include "revctl/list/merging/entry.h"

#include <fmt/core.h>
#include <algorithm>

namespace revctl::list::detail {
namespace {

/// Returns `text` with a line ending added, unless it is empty or already has one.
std::string WholeLines(std::string_view text, std::string_view line_end) {
  std::string whole(text);
  if (!whole.empty() && whole.back() != '\n') whole += line_end;
  return whole;
}

std::string MarkerLine(char marker, std::string_view label, const Marking& marking) {
  std::string line(static_cast<std::size_t>(std::max(marking.size, 1)), marker);
  if (!label.empty()) line += " " + std::string(label);
  return line + marking.line_end;
}

}  // namespace

std::string Marked(std::string_view ours, std::string_view theirs, const Marking& marking) {
  return MarkerLine('<', marking.ours, marking) + WholeLines(ours, marking.line_end) +
         MarkerLine('=', {}, marking) + WholeLines(theirs, marking.line_end) +
         MarkerLine('>', marking.theirs, marking);
}

Piece MergePiece(const Versions& versions, const TextMerge& text_merge, const Marking& marking) {
  const auto [base, ours, theirs] = versions;
  if (ours == theirs || theirs == base) return {std::string(ours), false, {}};
  if (ours == base) return {std::string(theirs), false, {}};
  Piece piece{std::string(std::min(ours, theirs)), true, {}};
  if (text_merge) {
    MergedText merged = text_merge(base, ours, theirs);
    if (!merged.conflict) return {std::move(merged.text), false, {}};
    piece.marked = std::move(merged.text);
  } else {
    piece.marked = Marked(ours, theirs, marking);
  }
  return piece;
}

namespace {

class EntryMerge {
 public:
  EntryMerge(const Item* base, const Item& ours, const Item& theirs, const EntryRules& rules)
      : base_(base != nullptr ? *base : kNothing),
        has_base_(base != nullptr),
        ours_(ours),
        theirs_(theirs),
        rules_(rules) {}

  MergedEntry Run() {
    // Start with a copy of one side, because the parts that are not merged below (name, kind) are
    // equal or cause a conflict. The choice of the side must not depend on which one is called
    // ours.
    merged_.item = ours_.Chunk(true) <= theirs_.Chunk(true) ? ours_ : theirs_;
    if (ours_.kind != theirs_.kind && ours_.kind == base_.kind) merged_.item.kind = theirs_.kind;
    if (ours_.kind != theirs_.kind && theirs_.kind == base_.kind) merged_.item.kind = ours_.kind;
    if (ours_.kind != theirs_.kind &&
        (!has_base_ || (ours_.kind != base_.kind && theirs_.kind != base_.kind))) {
      Contradict("is a revision on one side, but not on the other");
    }
    Text(&Item::lead);
    Head();
    Initializer();
    Text(&Item::tail);
    merged_.item.comma_at = merged_.item.tail == ours_.tail     ? ours_.comma_at
                            : merged_.item.tail == theirs_.tail ? theirs_.comma_at
                                                                : 0;
    if (merged_.conflict)
      merged_.marked = Marked(ours_.Chunk(true), theirs_.Chunk(true), rules_.marking);
    return std::move(merged_);
  }

 private:
  static const Item kNothing;

  void Contradict(std::string why) {
    if (!merged_.conflict) merged_.why = std::move(why);
    merged_.conflict = true;
  }

  void Text(std::string Item::*part) {
    const Piece piece =
        MergePiece({base_.*part, ours_.*part, theirs_.*part}, rules_.text_merge, rules_.marking);
    merged_.item.*part = piece.text;
    if (!piece.conflict) return;
    Contradict(has_base_ ? "has conflicting changes to its comment"
                         : "was added on both sides with different meanings");
  }

  void Head() {
    bool conflict = false;
    merged_.item.head =
        Pick(base_.head, ours_.head, theirs_.head, [&](const std::string& a, const std::string& b) {
          conflict = true;
          return std::min(a, b);
        });
    if (conflict) Contradict("has conflicting changes to its attributes");
  }

  void Take(const Item& from) {
    merged_.item.assign = from.assign;
    merged_.item.initializer = from.initializer;
    merged_.item.alias_of = from.alias_of;
    merged_.item.one_below = from.one_below;
    merged_.item.number = from.number;
  }

  static bool SameValue(const Item& a, const Item& b) {
    return a.initializer == b.initializer && a.assign == b.assign;
  }

  void Initializer() {
    if (rules_.moves_by_itself) return Take(has_base_ && base_.Explicit() ? base_ : merged_.item);
    const Item* chosen = nullptr;
    if (SameValue(ours_, theirs_) || (has_base_ && SameValue(theirs_, base_))) chosen = &ours_;
    else if (has_base_ && SameValue(ours_, base_)) chosen = &theirs_;
    if (chosen != nullptr && rules_.frozen && has_base_ &&
        chosen->initializer != base_.initializer && rules_.number &&
        chosen->number != *rules_.number && base_.number == *rules_.number) {
      Take(chosen == &ours_ ? theirs_ : ours_);
      if (rules_.arrived && ours_.lead == theirs_.lead && ours_.tail == theirs_.tail) return;
      return Contradict(fmt::format("has landed as {}, but one side changes it to {}",
                                    *rules_.number, chosen->number));
    }
    if (chosen != nullptr) return Take(*chosen);
    const Item& first = ours_.initializer <= theirs_.initializer ? ours_ : theirs_;
    if (rules_.number) {
      // The sides spelled the number differently. Take the side with the correct value; if both are
      // correct, only the style differs.
      const bool ours_right = ours_.number == *rules_.number,
                 theirs_right = theirs_.number == *rules_.number;
      if (ours_right != theirs_right) return Take(ours_right ? ours_ : theirs_);
      return Take(first);
    }
    Take(first);
    Contradict(fmt::format("is {} on one side and {} on the other", ours_.initializer,
                           theirs_.initializer));
  }

  const Item& base_;
  bool has_base_;
  const Item& ours_;
  const Item& theirs_;
  const EntryRules& rules_;
  MergedEntry merged_;
};

const Item EntryMerge::kNothing{};

}  // namespace

MergedEntry MergeEntry(const Item* base, const Item* ours, const Item* theirs,
                       const EntryRules& rules) {
  MergedEntry merged;
  if (ours == nullptr || theirs == nullptr) {
    merged.item = ours != nullptr ? *ours : *theirs;
    return merged;
  }
  if (ours->SameText(*theirs) && ours->kind == theirs->kind && !rules.moves_by_itself) {
    merged.item = *ours;
    if (ours->gap == theirs->gap) return merged;
  } else {
    merged = EntryMerge(base, *ours, *theirs, rules).Run();
  }
  const std::string_view gap = base != nullptr ? std::string_view(base->gap) : std::string_view();
  const Piece piece = MergePiece({gap, ours->gap, theirs->gap}, rules.text_merge, rules.marking);
  merged.item.gap = piece.text;
  if (piece.conflict) merged.gap_marked = piece.marked;
  return merged;
}

}  // namespace revctl::list::detail
