#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "harness/signals/check_context.h"
#include "harness/signals/decoded.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

/// A comparison such as `r.revision <= SR_X`, which also applies to files of SR_X itself.
struct InclusiveComparison {
  const Revision* revision = nullptr;  ///< null if no such comparison explains the changes
  /// place of the comparison, as far as the text of the source shows it
  SourcePlace place{};
};

/// Finds a revision that today's code compares using `<=` or `>`, although `<` or `>=` would
/// upgrade a golden to the recorded values. Tries each such comparison, which means reading the
/// golden several times, so use it only for messages.
InclusiveComparison FindInclusive(const CheckContext& context, const RootType& root,
                                  const Decoded& decoded,
                                  const std::vector<golden::Change>& changes);

/// Finds the comparison `r.revision <= SR_LATEST` that changes a value each time it is loaded. With
/// `<`, `payload`, which was written at the latest revision, would be read and written back
/// unchanged.
InclusiveComparison FindInclusiveAtLatest(const CheckContext& context, const RootType& root,
                                          std::span<const std::byte> payload);

}  // namespace revctl::harness
