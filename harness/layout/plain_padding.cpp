#include "harness/layout/plain_padding.h"

#include <fmt/core.h>
#include <algorithm>
#include <iterator>
#include <string>

namespace revctl::harness {
namespace {

using revctl::LayoutField;

bool IsPadding(const LayoutField& field) {
  return field.name.empty() && field.type.starts_with("array<u8,");
}

/// Bytes of padding before a field; at the end before none.
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

std::string ByteCount(std::size_t count) {
  return fmt::format("{} byte{}", count, count == 1 ? "" : "s");
}

}  // namespace

std::vector<LayoutField> WithoutPadding(const std::vector<LayoutField>& fields) {
  std::vector<LayoutField> named;
  std::remove_copy_if(fields.begin(), fields.end(), std::back_inserter(named), IsPadding);
  return named;
}

const LayoutField* BesidePadding(const std::vector<LayoutField>& fields,
                                 const std::vector<LayoutField>& named, const LayoutField* copy) {
  for (std::size_t i = 0, field = 0; field < fields.size(); ++field) {
    if (IsPadding(fields[field])) continue;
    if (copy == &named[i++]) return &fields[field];
  }
  return copy;
}

std::optional<LayoutChange> ComparePadding(const std::vector<LayoutField>& recorded,
                                           const std::vector<LayoutField>& now) {
  const std::vector<Gap> then = Gaps(recorded), today = Gaps(now);
  for (std::size_t i = 0; i < then.size() && i < today.size(); ++i) {
    if (then[i].bytes == today[i].bytes) continue;
    const std::string name = then[i].before != nullptr ? then[i].before->name : "";
    return LayoutChange{Cause::PaddingChanged,
                        name,
                        "",
                        then[i].before,
                        today[i].before,
                        ByteCount(then[i].bytes),
                        ByteCount(today[i].bytes)};
  }
  return std::nullopt;
}

}  // namespace revctl::harness
