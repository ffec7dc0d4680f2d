#include "harness/signals/plain_list_of.h"

#include <algorithm>

#include "harness/signals/current_spelling.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

PlainList PlainListOf(const CheckContext& context, const std::string& type,
                      const TypeTrace& trace) {
  PlainList list;
  for (const auto* fields : {&trace.layout.fields, &trace.removed, &trace.closed}) {
    for (const revctl::LayoutField& field : *fields) {
      if (!field.name.empty())
        list.items.push_back(ReadPlainItem(field, context.Whole(field.file)));
    }
  }
  std::stable_sort(
      list.items.begin(), list.items.end(),
      [](const PlainItem& a, const PlainItem& b) { return a.field.line < b.field.line; });
  const golden::RecordedType* last = nullptr;
  for (std::size_t i = 0; i < context.history.revisions().size(); ++i) {
    const golden::RecordedType* const recorded = context.history.TypeAt(type, i);
    if (recorded != nullptr && recorded != last)
      list.recorded.push_back(CurrentSpelling(*recorded, trace, context.renames).type());
    last = recorded;
  }
  return list;
}

bool HoldsChanged(const CheckContext& context, const TypeTrace& holder, const RevisionRun& today,
                  std::size_t index) {
  const auto& history = context.history;
  return std::any_of(today.layouts.begin(), today.layouts.end(), [&](const auto& held) {
    const auto& fields = holder.layout.fields;
    const golden::RecordedType* const recorded = history.TypeAt(held.first, index);
    return recorded != nullptr &&
           std::any_of(fields.begin(), fields.end(),
                       [&](const auto& field) { return Mentions(field.type, held.first); }) &&
           !CompareLayouts(*recorded, held.second, history.revisions()[index].number,
                           history.oldest(), history.TypeAt(held.first, history.newest_recorded()),
                           context.renames)
                .empty();
  });
}

}  // namespace revctl::harness
