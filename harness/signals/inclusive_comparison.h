#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// A comparison `r.revision <= SR_X`, which also covers files of SR_X itself.
struct InclusiveComparison {
  const Revision* revision = nullptr;  ///< null if no such comparison explains the changes
  SourcePlace place{};  ///< of the comparison, as far as the text of the source shows it
};

/// Finds the revision that today's code compares with `<=` or `>`, although `<` or `>=` would give
/// a golden its recorded upgraded values. Tries each such comparison, so it costs reading the
/// golden a few times; for messages.
InclusiveComparison FindInclusive(const CheckContext& context, const RootType& root,
                                  const Decoded& decoded,
                                  const std::vector<golden::Change>& changes);

/// Finds the comparison `r.revision <= SR_LATEST` that changes a value each time it is loaded:
/// `payload`, written at the latest revision, would be read and written back unchanged with `<`.
InclusiveComparison FindInclusiveAtLatest(const CheckContext& context, const RootType& root,
                                          std::span<const std::byte> payload);

}  // namespace revctl::harness
