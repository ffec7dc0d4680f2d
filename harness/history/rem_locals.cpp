#include "harness/history/rem_locals.h"

#include <algorithm>
#include <set>

#include "harness/layout/field_matching.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

bool IsVisitedAt(const LayoutField& field, std::int64_t number) {
  return field.since_number <= number && (field.until.empty() || number < field.until_number);
}

bool HasName(const LayoutField& field, const std::string& type, const std::string& name,
             const Renames& renames) {
  return !field.name.empty() && renames.Same(type, field.name, name);
}

/// One record type.
class LocalsOf {
 public:
  LocalsOf(const History& history, const std::string& type, const TypeTrace& today,
           Renames& renames)
      : history_(history), type_(type), today_(today), renames_(renames) {}

  void Run() {
    for (const LayoutField& rem : today_.removed) {
      if (IsRem(rem)) Name(rem);
    }
  }

 private:
  /// The first recorded layout that the REM is for.
  void Name(const LayoutField& rem) {
    for (std::size_t i = 0; i < history_.revisions().size(); ++i) {
      const std::int64_t number = history_.revisions()[i].number;
      const auto* recorded = IsVisitedAt(rem, number) ? history_.TypeAt(type_, i) : nullptr;
      if (recorded == nullptr) continue;
      const auto& fields = recorded->layout.fields;
      const bool named = std::any_of(fields.begin(), fields.end(), [&](const LayoutField& field) {
        return HasName(field, type_, rem.name, renames_);
      });
      if (named) return;
      const auto field = std::find_if(fields.begin(), fields.end(), [&](const LayoutField& then) {
        return IsLike(then, rem) && !taken_.contains(then.name) &&
               !IsVisitedToday(then.name, number);
      });
      if (field == fields.end()) return;
      taken_.insert(field->name);
      renames_.Add(type_, field->name, rem.name);
      return;
    }
  }

  bool IsLike(const LayoutField& then, const LayoutField& rem) const {
    return !then.name.empty() && !IsCounter(then) && then.type == rem.type &&
           then.size == rem.size &&
           SameGate(then.since, then.since_number, rem.since, rem.since_number) &&
           SameCondition(then.condition, rem.condition, renames_);
  }

  bool IsVisitedToday(const std::string& name, std::int64_t number) const {
    for (const auto* fields : {&today_.layout.fields, &today_.removed, &today_.closed}) {
      if (std::any_of(fields->begin(), fields->end(), [&](const LayoutField& field) {
            return field.name == name && IsVisitedAt(field, number);
          }))
        return true;
    }
    return false;
  }

  const History& history_;
  const std::string& type_;
  const TypeTrace& today_;
  Renames& renames_;
  std::set<std::string> taken_;
};

}  // namespace

void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames) {
  for (const auto& [type, trace] : today) {
    // A dead field of a PLAIN struct has no local: its name says what a HOP takes it for.
    if (!trace.plain) LocalsOf(history, type, trace, renames).Run();
  }
}

}  // namespace revctl::harness
