#include "harness/layout/layout_diff.h"
#include "revctl/base/counted.h"

#include <fmt/core.h>
#include <algorithm>
#include <optional>

#include "harness/layout/fields.h"

namespace revctl::harness {
namespace {

using golden::RecordedType;
using revctl::LayoutField;

/// Removes whitespace, so that `d.x>0` and `d.x > 0` compare equal.
std::string Squeezed(const std::string& text) {
  std::string out;
  for (char c : text) {
    if (c != ' ' && c != '\t' && c != '\n') out += c;
  }
  return out;
}

std::string Describe(const LayoutField& field) {
  std::string text;
  if (IsCounter(field)) {
    text = "CHECK_INTEGRITY";
  } else {
    text = fmt::format("{}: {}", field.name.empty() ? "(unnamed)" : field.name, field.type);
    if (field.size != 0) text += ", " + base::Counted(field.size, "byte");
  }
  if (!field.since.empty()) text += ", since " + field.since;
  if (!field.until.empty()) text += ", until " + field.until;
  if (!field.condition.empty()) text += ", if " + field.condition;
  return text;
}

std::string Place(std::size_t index, std::size_t count) {
  return fmt::format("place {} of {}", index + 1, count);
}

/// The bytes of padding before a field, or at the end of the struct if `before` is null.
struct Gap {
  std::size_t bytes = 0;
  const LayoutField* before = nullptr;
};
std::vector<Gap> Gaps(const std::vector<LayoutField>& fields) {
  std::vector<Gap> gaps(1);
  for (const LayoutField& field : fields) {
    if (IsPadding(field)) {
      gaps.back().bytes += field.size;
    } else {
      gaps.back().before = &field;
      gaps.emplace_back();
    }
  }
  return gaps;
}

/// Returns the first difference in padding between two layouts with equal fields, or nullopt.
std::optional<LayoutChange> ComparePadding(const std::vector<LayoutField>& recorded,
                                           const std::vector<LayoutField>& now) {
  const std::vector<Gap> then = Gaps(recorded), today = Gaps(now);
  for (std::size_t i = 0; i < then.size() && i < today.size(); ++i) {
    if (then[i].bytes == today[i].bytes) continue;
    const std::string name = then[i].before != nullptr ? then[i].before->name : "";
    return LayoutChange{.cause = Cause::PaddingChanged,
                        .field = name,
                        .recorded = then[i].before,
                        .now = today[i].before,
                        .recorded_text = base::Counted(then[i].bytes, "byte"),
                        .now_text = base::Counted(today[i].bytes, "byte")};
  }
  return std::nullopt;
}

class Comparison {
 public:
  Comparison(const RecordedType& recorded, const TypeTrace& now, std::int64_t number,
             std::int64_t oldest, const RecordedType* newest, const Renames& renames)
      : renames_(renames),
        recorded_(recorded),
        now_(now),
        number_(number),
        oldest_(oldest),
        newest_(newest),
        then_named_(now.plain ? WithoutPadding(recorded.layout.fields)
                              : std::vector<LayoutField>()),
        now_named_(now.plain ? WithoutPadding(now.layout.fields) : std::vector<LayoutField>()),
        then_fields_(now.plain ? then_named_ : recorded.layout.fields),
        now_fields_(now.plain ? now_named_ : now.layout.fields),
        match_(Match(then_fields_, now_fields_,
                     [this](const std::string& a, const std::string& b) { return Same(a, b); })) {}

  std::vector<LayoutChange> Run() {
    MatchRenamed();
    MatchUnnamed();
    CompareMatched();
    FindMissing();
    FindAdded();
    CompareOrder();
    CompareRemoved();
    if (now_.plain) ComparePlain();
    return std::move(changes_);
  }

 private:
  bool Same(const std::string& a, const std::string& b) const {
    return renames_.Same(recorded_.layout.type, a, b);
  }
  /// Returns the field with this name or, if there is none, a field with an equivalent name, or
  /// null.
  const LayoutField* Named(const std::vector<LayoutField>& fields, const std::string& name) const {
    if (const LayoutField* found = FindField(fields, name)) return found;
    const auto same = std::find_if(fields.begin(), fields.end(), [&](const LayoutField& field) {
      return !name.empty() && !field.name.empty() && Same(field.name, name);
    });
    return same == fields.end() ? nullptr : &*same;
  }

  void Add(Cause cause, std::string field, const LayoutField* then, const LayoutField* now,
           std::string then_text, std::string now_text, std::string other = "") {
    changes_.push_back({cause, std::move(field), std::move(other), then, now, std::move(then_text),
                        std::move(now_text)});
  }
  void Add(Cause cause, const LayoutField* then, const LayoutField* now) {
    const LayoutField& named = then ? *then : *now;
    Add(cause, IsCounter(named) ? "CHECK_INTEGRITY" : named.name, then, now,
        then ? Describe(*then) : "absent", now ? Describe(*now) : "absent");
  }

  /// Treats an unmatched field as renamed if a field with a new name, but of the same type, size
  /// and gate, now follows the same neighbor.
  void MatchRenamed() {
    for (std::size_t i = 0; i < then_fields_.size(); ++i) {
      const LayoutField& then = then_fields_[i];
      if (match_.to_now[i] != kUnmatched || then.name.empty()) continue;
      // A field was not renamed if the body still contains it, behind a gate that is closed here. A
      // REM may still read the field under a different name.
      const bool elsewhere = Announced(then.name);
      for (std::size_t j = 0; j < now_fields_.size(); ++j) {
        const LayoutField& now = now_fields_[j];
        if (match_.to_recorded[j] != kUnmatched || now.name.empty() || now.type != then.type ||
            now.size != then.size || IsConditional(now) != IsConditional(then) ||
            !BeginTogether(then, now) || (elsewhere && !IsRem(now)) ||
            (newest_ && !IsRem(now) && newest_ != &recorded_ &&
             Named(newest_->layout.fields, now.name))) {
          continue;
        }
        if (!SamePlace(i, j)) continue;
        match_.to_now[i] = j;
        match_.to_recorded[j] = i;
        Add(IsRem(now) ? Cause::RemOtherName : Cause::Renamed, then.name, &then, &now,
            Describe(then), Describe(now), now.name);
        break;
      }
    }
  }

  /// Matches a named field with an unnamed field if they have the same type and size and follow the
  /// same neighbor. In this case, the name was lost or added. A field that a plain `Serialize(r,
  /// d.x)` visits has no name.
  void MatchUnnamed() {
    for (std::size_t i = 0; i < then_fields_.size(); ++i) {
      const LayoutField& then = then_fields_[i];
      if (match_.to_now[i] != kUnmatched || IsCounter(then)) continue;
      for (std::size_t j = 0; j < now_fields_.size(); ++j) {
        const LayoutField& now = now_fields_[j];
        if (match_.to_recorded[j] != kUnmatched || IsCounter(now) ||
            now.name.empty() == then.name.empty() || now.type != then.type ||
            now.size != then.size || !SamePlace(i, j))
          continue;
        if (!then.name.empty() && Announced(then.name)) continue;
        match_.to_now[i] = j;
        match_.to_recorded[j] = i;
        Add(then.name.empty() ? Cause::NameGained : Cause::NameLost,
            then.name.empty() ? now.name : then.name, &then, &now, Describe(then), Describe(now));
        break;
      }
    }
  }

  /// True if the body contains a field with this name behind a gate that is closed at this
  /// revision.
  bool Announced(const std::string& name) const {
    return Named(now_.closed, name) || Named(now_.removed, name);
  }

  /// True if both fields follow the same matched field, or both precede all matched fields.
  bool SamePlace(std::size_t i, std::size_t j) const {
    const auto before = [](const std::vector<std::size_t>& partner, std::size_t at) {
      while (at > 0 && partner[at - 1] == kUnmatched) --at;
      return at == 0 ? kUnmatched : at - 1;
    };
    const std::size_t then_before = before(match_.to_now, i);
    const std::size_t now_before = before(match_.to_recorded, j);
    return then_before == kUnmatched ? now_before == kUnmatched
                                     : match_.to_now[then_before] == now_before;
  }

  void CompareMatched() {
    for (std::size_t i = 0; i < then_fields_.size(); ++i) {
      if (match_.to_now[i] == kUnmatched) continue;
      const LayoutField& then = then_fields_[i];
      const LayoutField& now = now_fields_[match_.to_now[i]];
      if (then.type != now.type || then.size != now.size) {
        Add(TypeCause(then, now), &then, &now);
      } else if (IsConditional(then) != IsConditional(now) ||
                 (then.always && !now.always && !now_.plain)) {
        // A PLAIN struct has no conditions. If a field is not always visited, reading has failed at
        // an earlier field.
        Add(Cause::BecameConditional, &then, &now);
      } else if (IsConditional(then) && !SameCondition(then.condition, now.condition, renames_)) {
        Add(Cause::ConditionChanged, &then, &now);
      } else if (MembersMoved(then.members, now.members)) {
        Add(Cause::MembersMoved, then.name, &then, &now, then.members, now.members);
      }
      // Both fields are visited at this revision. Their gates may still differ at revisions without
      // a record.
      if (then.name.empty() == now.name.empty() && !BeginTogether(then, now))
        Add(GateCause(then, now), &then, &now);
    }
  }

  /// True if both fields start at the same revision. Start revisions up to `oldest` count as equal,
  /// because no readable file distinguishes them.
  bool BeginTogether(const LayoutField& a, const LayoutField& b) const {
    const bool purged = a.since_number <= oldest_ && b.since_number <= oldest_;
    return SameGate(a.since, purged ? oldest_ : a.since_number, b.since,
                    purged ? oldest_ : b.since_number);
  }

  static Cause GateCause(const LayoutField& then, const LayoutField& now) {
    // Compare the end of the field only if the record has one. A REM that was added after the field
    // was recorded ends the field, but does not move its gate.
    const bool ended = !then.until.empty();
    const bool same_names = then.since == now.since && (!ended || then.until == now.until);
    const bool same_numbers =
        then.since_number == now.since_number && (!ended || then.until_number == now.until_number);
    return same_names && !same_numbers ? Cause::Renumbered : Cause::GateMoved;
  }

  static Cause TypeCause(const LayoutField& then, const LayoutField& now) {
    if (then.type == now.type) return Cause::EnumWidth;
    if (Outermost(then.type) == Outermost(now.type) && Outermost(then.type) == "array" &&
        then.type.substr(0, then.type.rfind(',')) == now.type.substr(0, now.type.rfind(','))) {
      return Cause::Resized;
    }
    if (Outermost(then.type) != Outermost(now.type) &&
        (IsContainer(then.type) || IsContainer(now.type))) {
      return Cause::ContainerChanged;
    }
    return then.size == now.size && then.size != 0 ? Cause::RetypedSameSize : Cause::Retyped;
  }

  void FindMissing() {
    for (std::size_t i = 0; i < then_fields_.size(); ++i) {
      if (match_.to_now[i] != kUnmatched) continue;
      const LayoutField& then = then_fields_[i];
      if (IsCounter(then)) {
        Add(Cause::CounterMoved, &then, nullptr);
        continue;
      }
      const LayoutField* elsewhere = Named(now_.closed, then.name);
      if (!elsewhere) elsewhere = Named(now_.removed, then.name);
      if (elsewhere && elsewhere->type == then.type) {
        Add(GateCause(then, *elsewhere), &then, elsewhere);
      } else if (elsewhere) {
        // The field has a new type behind a gate that is closed here. The old type needs a REM, as
        // if the field had been removed.
        Add(TypeCause(then, *elsewhere), &then, elsewhere);
      } else {
        Add(Cause::RemovedWithoutRem, &then, nullptr);
      }
    }
  }

  void FindAdded() {
    for (std::size_t j = 0; j < now_fields_.size(); ++j) {
      if (match_.to_recorded[j] != kUnmatched) continue;
      const LayoutField& now = now_fields_[j];
      if (IsCounter(now)) {
        Add(Cause::CounterMoved, nullptr, &now);
        continue;
      }
      const LayoutField* later = newest_ ? Named(newest_->layout.fields, now.name) : nullptr;
      if (!later && newest_) later = Named(newest_->removed, now.name);
      if (!later) later = Named(recorded_.removed, now.name);
      const bool gate_differs =
          later && (!BeginTogether(*later, now) || later->since_number > number_ ||
                    GateCause(*later, now) == Cause::Renumbered);
      if (gate_differs || (later && !later->until.empty())) {
        Add(GateCause(*later, now), now.name, later, &now, Describe(*later), Describe(now));
      } else {
        Add(Cause::AddedWithoutRevision, nullptr, &now);
      }
    }
  }

  void CompareOrder() {
    std::vector<std::size_t> then_index, now_index;
    std::vector<bool> counter;
    for (std::size_t i = 0; i < then_fields_.size(); ++i) {
      if (match_.to_now[i] == kUnmatched) continue;
      then_index.push_back(i);
      now_index.push_back(match_.to_now[i]);
      counter.push_back(IsCounter(then_fields_[i]));
    }
    if (then_index.empty()) return;
    std::vector<std::size_t> sorted = now_index;
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> wrong;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
      if (sorted[k] != now_index[k]) wrong.push_back(k);
    }
    if (wrong.empty()) return;
    if (wrong.size() == 2 && !counter[wrong[0]] && !counter[wrong[1]]) {
      const std::size_t a = then_index[wrong[0]], b = then_index[wrong[1]];
      Add(Cause::Swapped, then_fields_[a].name, &then_fields_[a], &now_fields_[match_.to_now[a]],
          OrderText(then_fields_), OrderText(now_fields_), then_fields_[b].name);
      return;
    }
    const std::vector<bool> out = OutOfOrder(now_index, counter);
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (!out[k]) continue;
      const LayoutField& then = then_fields_[then_index[k]];
      Add(counter[k] ? Cause::CounterMoved : Cause::Moved,
          counter[k] ? "CHECK_INTEGRITY" : then.name, &then, &now_fields_[now_index[k]],
          fmt::format("{}: {}", Place(then_index[k], then_fields_.size()), OrderText(then_fields_)),
          fmt::format("{}: {}", Place(now_index[k], now_fields_.size()), OrderText(now_fields_)));
    }
  }

  static std::string OrderText(const std::vector<LayoutField>& fields) {
    std::string text;
    for (const LayoutField& field : fields) {
      if (!text.empty()) text += ", ";
      text += IsCounter(field) ? "CHECK_INTEGRITY" : field.name.empty() ? "(unnamed)" : field.name;
    }
    return text;
  }

  /// Compares the recorded REMs that are closed at this revision. Their type, range and default
  /// determine the meaning of old files.
  void CompareRemoved() {
    for (const LayoutField& then : recorded_.removed) {
      const LayoutField* now = Named(now_.removed, then.name);
      if (!now) {
        // A REM with a different name reads the same bytes, because only the local variable has
        // this name.
        for (const LayoutField& field : now_.removed) {
          if (field.type == then.type && field.since_number == then.since_number &&
              field.until_number == then.until_number) {
            now = &field;
            break;
          }
        }
      }
      // Skip a field that no readable file contains.
      if (then.until_number <= oldest_ && (!now || now->until_number <= oldest_)) continue;
      if (!now) {
        const bool visible = Named(now_fields_, then.name) || Named(now_.closed, then.name);
        if (!visible) Add(Cause::RemGone, then.name, &then, nullptr, Describe(then), "absent");
      } else if (now->type != then.type) {
        Add(TypeCause(then, *now), &then, now);
      } else if (!BeginTogether(then, *now) ||
                 !SameGate(then.until, then.until_number, now->until, now->until_number)) {
        Add(GateCause(then, *now), &then, now);
      } else if (now->fallback != then.fallback && !then.fallback.empty()) {
        Add(Cause::RemDefaultChanged, then.name, &then, now, "default " + then.fallback,
            "default " + (now->fallback.empty() ? "(none)" : now->fallback));
      }
    }
  }

  /// Redirects the changes' pointers from the copies without padding to the original layouts. If
  /// there are no changes, compares the padding.
  void ComparePlain() {
    for (LayoutChange& change : changes_) {
      change.recorded = BesidePadding(recorded_.layout.fields, then_named_, change.recorded);
      change.now = BesidePadding(now_.layout.fields, now_named_, change.now);
    }
    if (!changes_.empty()) return;
    if (auto padding = ComparePadding(recorded_.layout.fields, now_.layout.fields))
      changes_.push_back(std::move(*padding));
  }

  const Renames& renames_;
  const RecordedType& recorded_;
  const TypeTrace& now_;
  const std::int64_t number_;
  const std::int64_t oldest_;
  const RecordedType* const newest_;
  const std::vector<LayoutField> then_named_, now_named_;  ///< without padding, for a PLAIN struct
  const std::vector<LayoutField>& then_fields_;
  const std::vector<LayoutField>& now_fields_;
  Matching match_;
  std::vector<LayoutChange> changes_;
};

/// The parsed parts of a string such as `Flags{open:1, locked:1}`.
struct Members {
  std::string type;
  std::vector<std::string> names;
};
Members MembersIn(const std::string& text) {
  const std::size_t brace = std::min(text.find('{'), text.size());
  Members members{text.substr(0, brace), {}};
  for (std::size_t at = brace + 1; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(",}", at), text.size());
    const std::string member = text.substr(at, end - at);
    members.names.push_back(member.substr(0, member.find(':')));
    at = end + 2;
  }
  return members;
}

}  // namespace

std::vector<const LayoutField*> TypeTrace::AllFields() const {
  std::vector<const LayoutField*> all;
  for (const auto* fields : {&layout.fields, &removed, &closed}) {
    for (const LayoutField& field : *fields) all.push_back(&field);
  }
  return all;
}

bool MembersMoved(const std::string& recorded, const std::string& now) {
  if (recorded.empty() || now.empty() || recorded == now) return false;
  Members then = MembersIn(recorded), today = MembersIn(now);
  if (then.type != today.type) return false;
  const auto leave_common = [](std::vector<std::string>& names, std::vector<std::string> others) {
    std::erase_if(names, [&](const std::string& name) {
      return std::find(others.begin(), others.end(), name) == others.end();
    });
  };
  const std::vector<std::string> all = then.names;
  leave_common(then.names, today.names);
  leave_common(today.names, all);
  return then.names != today.names;
}

bool SameCondition(const std::string& a, const std::string& b, const Renames& renames) {
  return renames.CanonicalPath(Squeezed(a)) == renames.CanonicalPath(Squeezed(b));
}

std::vector<LayoutChange> CompareLayouts(const RecordedType& recorded, const TypeTrace& now,
                                         std::int64_t number, std::int64_t oldest,
                                         const RecordedType* newest, const Renames& renames) {
  return Comparison(recorded, now, number, oldest, newest, renames).Run();
}

bool SameRecord(const RecordedType& recorded, const TypeTrace& now) {
  const auto same = [](const std::vector<LayoutField>& then,
                       const std::vector<LayoutField>& today) {
    return std::equal(then.begin(), then.end(), today.begin(), today.end(),
                      [](const LayoutField& a, const LayoutField& b) {
                        return a.name == b.name && a.type == b.type && a.size == b.size &&
                               a.form == b.form && a.always == b.always &&
                               LastComponent(a.since) == LastComponent(b.since) &&
                               LastComponent(a.until) == LastComponent(b.until) &&
                               a.condition == b.condition && a.fallback == b.fallback;
                      });
  };
  return same(recorded.layout.fields, now.layout.fields) && same(recorded.removed, now.removed) &&
         recorded.layout.compared == now.layout.compared;
}

}  // namespace revctl::harness
