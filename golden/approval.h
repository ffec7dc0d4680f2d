#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"
#include "golden/revision_record.h"

namespace revctl::golden {

/// A change that a user accepted, and the reason. Each is stored in its own file,
/// `approved/HASH.yaml`, because records are never edited.
struct Approval {
  enum class Kind {
    Rename,   ///< a field or enumerator was renamed without a change of meaning
    Upgrade,  ///< the current code reads different values from older goldens, and they are correct
    Enumerator,  ///< a new enumerator that needs no revision
    Condition,   ///< a field's condition is written differently but has the same result
    Baseline,    ///< code that no golden covered when the project adopted the harness
  };
  Kind kind = Kind::Rename;
  /// Name of the record, enum or root type, as in TypeInfo::name; empty for a baseline.
  std::string type{};
  std::string from{};  ///< the name, or the condition's source text, in older records
  /// The new name or the new condition; for an enumerator, the enumerator's name.
  std::string to{};
  std::int64_t value = 0;  ///< Enumerator: the enumerator's value
  std::string field{};     ///< Condition: the field that it controls
  /// Upgrade: the newest revision recorded at the time of approval. The approval applies after the
  /// changes recorded for that revision.
  std::string after{};
  std::vector<std::string> cases{};   ///< Upgrade: the goldens, such as `SR_INITIAL/auto-1`
  std::vector<Change> changes{};      ///< Upgrade: changes to their upgraded values
  std::vector<std::string> places{};  ///< Baseline: uncovered code, as `Type.field: finding`
  std::string reason{};               ///< never empty in a file
  bool operator==(const Approval&) const = default;
};

std::string FormatApproval(const Approval& approval);
Result<Approval> ParseApproval(std::string_view text, std::string_view file);

/// Returns 16 hex digits that identify the approved change, regardless of its reason. Users pass
/// them to `approve`.
std::string ApprovalId(const Approval& approval);

/// Writes `approval` under a name that contains a hash of its text, and returns that name, relative
/// to `folder`.
Result<std::string> WriteApproval(const std::string& folder, const Approval& approval);

}  // namespace revctl::golden
