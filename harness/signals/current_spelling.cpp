#include "harness/signals/current_spelling.h"

#include <utility>
#include <vector>

#include "harness/layout/field_matching.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

/// The visit of today that is the recorded one. A name may be there twice, once for what it was
/// until its type changed.
const LayoutField* FindToday(const LayoutField& field, const TypeTrace& now,
                             const Renames& renames) {
  const LayoutField *same_gate = nullptr, *same_name = nullptr, *renamed = nullptr;
  for (const auto* fields : {&now.layout.fields, &now.removed, &now.closed}) {
    for (const LayoutField& today : *fields) {
      if (today.name.empty()) continue;
      const bool named = today.name == field.name;
      if (named && same_name == nullptr) same_name = &today;
      if (named && same_gate == nullptr && LastComponent(today.since) == LastComponent(field.since))
        same_gate = &today;
      if (!named && renamed == nullptr && renames.Same(now.layout.type, field.name, today.name))
        renamed = &today;
    }
  }
  return same_gate != nullptr ? same_gate : same_name != nullptr ? same_name : renamed;
}

}  // namespace

CurrentSpelling::CurrentSpelling(const golden::RecordedType& recorded, const TypeTrace& now,
                                 const Renames& renames)
    : recorded_(recorded), now_(now), renames_(renames), said_(recorded) {
  for (auto* fields : {&said_.layout.fields, &said_.removed}) {
    for (LayoutField& field : *fields) field = Say(std::move(field));
  }
}

LayoutField CurrentSpelling::Of(const LayoutField& field) const {
  for (std::size_t i = 0; i < recorded_.layout.fields.size(); ++i) {
    if (&recorded_.layout.fields[i] == &field) return said_.layout.fields[i];
  }
  for (std::size_t i = 0; i < recorded_.removed.size(); ++i) {
    if (&recorded_.removed[i] == &field) return said_.removed[i];
  }
  return Say(field);
}

LayoutField CurrentSpelling::Say(LayoutField field) const {
  const LayoutField* const today = field.name.empty() ? nullptr : FindToday(field, now_, renames_);
  if (today == nullptr) return field;
  field.name = today->name;
  field.reference = field.type == today->type && today->reference;
  if (SameCondition(field.condition, today->condition, renames_))
    field.condition = today->condition;
  if (IsRem(*today) || today->form == "rem_member") {
    field.form = today->form == "rem_member" ? today->form
                 : field.condition.empty()   ? "rem"
                                             : "rem_conditional";
    if (field.until.empty()) field.until = today->until;
    field.spelled = today->spelled;
  }
  return field;
}

}  // namespace revctl::harness
