#pragma once
#include <optional>
#include <vector>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

// A PLAIN struct's layout holds its padding too, as bytes without a name. It follows from the
// fields around it.

/// The fields alone.
std::vector<revctl::LayoutField> WithoutPadding(const std::vector<revctl::LayoutField>& fields);

/// The element of `fields` that was copied to `*copy`, where that lies in `named`, which is
/// WithoutPadding(fields); else `copy`.
const revctl::LayoutField* BesidePadding(const std::vector<revctl::LayoutField>& fields,
                                         const std::vector<revctl::LayoutField>& named,
                                         const revctl::LayoutField* copy);

/// The first place where the padding of two layouts differs whose fields are the same; none where
/// it is the same.
std::optional<LayoutChange> ComparePadding(const std::vector<revctl::LayoutField>& recorded,
                                           const std::vector<revctl::LayoutField>& now);

}  // namespace revctl::harness
