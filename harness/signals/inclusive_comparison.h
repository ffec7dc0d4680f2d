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
  /// place of the comparison if the source text shows it; line 0 otherwise
  SourcePlace place{};
};

/// Finds a revision that the current code compares using `<=` or `>`, although `<` or `>=` would
/// yield the golden's recorded upgraded values. Use this only for messages, because it re-reads the
/// golden for each such comparison.
InclusiveComparison FindInclusive(const CheckContext& context, const RootType& root,
                                  const Decoded& decoded,
                                  const std::vector<golden::Change>& changes);

/// Finds the comparison `r.revision <= SR_LATEST` that changes a value each time it is loaded. If
/// the comparison used `<`, then `payload`, which was written at the latest revision, would stay
/// the same when it is read and written again.
InclusiveComparison FindInclusiveAtLatest(const CheckContext& context, const RootType& root,
                                          std::span<const std::byte> payload);

}  // namespace revctl::harness
