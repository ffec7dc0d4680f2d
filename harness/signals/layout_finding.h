#pragma once
#include <optional>
#include <string>

#include "harness/advice/advice.h"
#include "harness/signals/signals.h"
#include "harness/trace/source_place.h"

namespace revctl::harness {

// A change of a layout or enum as a finding, and how a person may accept the change.

/// Says the change, which `advice` is about. Its severity is Error.
Finding FindingOf(const CheckContext& context, const LayoutChange& change, const Advice& advice,
                  const std::string& type, const std::string& revision, const SourcePlace& at);

/// Changes that say the same have the same key, at whatever revision.
std::string CauseKey(const LayoutChange& change);

/// What a person says of a change that was meant and breaks no file.
struct Acceptance {
  golden::Approval approval;  ///< what is stored then
  std::string condition;      ///< when that is right: `or, if only the name is another:`
  std::string option;         ///< of the command `approve`

  /// Whether the store has the approval.
  bool IsGiven(const CheckContext& context) const;
};
/// Nothing where only code mends the change.
std::optional<Acceptance> AcceptanceOf(const LayoutChange& change, const std::string& type);

/// Completes the finding's fix by the commands that accept the change: `approve`, where there is an
/// acceptance, which `review` offers then too; and `record --refresh` while the revision at `index`
/// is pending.
void AddWaysToAccept(CheckContext& context, const std::optional<Acceptance>& acceptance,
                     std::size_t index, Finding& finding);

}  // namespace revctl::harness
