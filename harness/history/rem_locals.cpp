#include "harness/history/rem_locals.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "harness/layout/field_matching.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

/// What is recorded of one type: the number of each revision, oldest first, and the layout there.
using Layouts = std::vector<std::pair<std::int64_t, const golden::RecordedType*>>;

bool IsVisitedAt(const LayoutField& field, std::int64_t number) {
  return field.since_number <= number && (field.until.empty() || number < field.until_number);
}

/// One record type.
class LocalsOf {
 public:
  LocalsOf(const std::string& type, const TypeTrace& today, const Layouts& layouts,
           Renames& renames)
      : type_(type), today_(today), layouts_(layouts), renames_(renames) {}

  void Run() {
    // A dead field of a PLAIN struct has no local: its name says what a HOP takes it for.
    if (today_.plain) return;
    for (const auto* fields : {&today_.removed, &today_.layout.fields}) {
      for (const LayoutField& field : *fields) {
        if (IsRem(field)) Name(field);
      }
    }
  }

 private:
  /// By the first recorded layout that the REM is for.
  void Name(const LayoutField& rem) {
    const auto at = std::find_if(layouts_.begin(), layouts_.end(), [&](const auto& layout) {
      return IsVisitedAt(rem, layout.first);
    });
    if (at == layouts_.end()) return;
    const std::int64_t number = at->first;
    const auto& fields = at->second->layout.fields;
    if (std::any_of(fields.begin(), fields.end(),
                    [&](const LayoutField& field) { return HasName(field, rem.name); }))
      return;
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const LayoutField& then) {
      return IsLike(then, rem) && !taken_.contains(then.name) && !IsVisitedToday(then.name, number);
    });
    if (field == fields.end()) return;
    taken_.insert(field->name);
    renames_.Add(type_, field->name, rem.name);
  }

  bool HasName(const LayoutField& field, const std::string& name) const {
    return !field.name.empty() && renames_.Same(type_, field.name, name);
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
            return HasName(field, name) && IsVisitedAt(field, number);
          }))
        return true;
    }
    return false;
  }

  const std::string& type_;
  const TypeTrace& today_;
  const Layouts& layouts_;
  Renames& renames_;
  std::set<std::string> taken_;
};

}  // namespace

void AddNamesOfLocals(const History& history, const std::map<std::string, TypeTrace>& today,
                      Renames& renames) {
  for (const auto& [type, trace] : today) {
    Layouts layouts;
    for (std::size_t i = 0; i < history.revisions().size(); ++i) {
      if (const auto* recorded = history.TypeAt(type, i))
        layouts.emplace_back(history.revisions()[i].number, recorded);
    }
    LocalsOf(type, trace, layouts, renames).Run();
  }
}

void AddNamesOfLocals(const golden::RevisionRecord& record, std::int64_t number,
                      const std::map<std::string, TypeTrace>& today, Renames& renames) {
  for (const golden::RecordedType& recorded : record.types) {
    const auto trace = today.find(recorded.layout.type);
    const Layouts layouts(1, {number, &recorded});
    if (trace != today.end()) LocalsOf(trace->first, trace->second, layouts, renames).Run();
  }
}

}  // namespace revctl::harness
