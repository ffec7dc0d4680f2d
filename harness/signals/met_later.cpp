#include "harness/signals/met_later.h"

#include <algorithm>

namespace harness {

const Revision* MetLater(const CheckContext& context, const LayoutChange& change,
                         const std::string& type, std::size_t index) {
  if (change.cause != Cause::AddedWithoutRevision) return nullptr;
  const Revision* since = context.history.Find(change.now->since);
  if (since == nullptr || !since->exists || context.history.IndexOf(*since) >= index)
    return nullptr;
  const auto* recorded = context.history.TypeAt(type, context.history.IndexOf(*since));
  if (recorded == nullptr) return nullptr;
  const auto& fields = recorded->layout.fields;
  const bool there =
      std::any_of(fields.begin(), fields.end(), [&](const revctl::LayoutField& field) {
        return field.name == change.now->name && field.type == change.now->type;
      });
  return there ? since : nullptr;
}

}  // namespace harness
