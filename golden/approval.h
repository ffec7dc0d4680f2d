#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "golden/result.h"
#include "golden/revision_record.h"

namespace revctl::golden {

/// A change that a person accepted, with the reason: `approved/HASH.yaml`. Records are never
/// edited; what was accepted since stands beside them.
struct Approval {
  enum class Kind {
    Rename,      ///< a field or enumerator means what it meant, under another name
    Upgrade,     ///< what today's code makes of older goldens is another value, and that is right
    Enumerator,  ///< a new enumerator that took no revision
    Condition,   ///< the condition of a field reads differently and decides alike
    Baseline,    ///< what nothing reached on the day a project adopted the harness
  };
  Kind kind = Kind::Rename;
  std::string type{};  ///< the record, enum or root type, TypeInfo::name; empty for a baseline
  std::string from{};  ///< Rename: the name in older records; Condition: its text there
  /// Rename: the name from now on; Enumerator: its name; Condition: its text from now on
  std::string to{};
  std::int64_t value = 0;  ///< Enumerator: its value
  std::string field{};     ///< Condition: what it decides about
  /// Upgrade: the newest revision that was recorded then; the change counts behind what that
  /// revision recorded.
  std::string after{};
  std::vector<std::string> cases{};   ///< Upgrade: `SR_INITIAL/auto-1`
  std::vector<Change> changes{};      ///< Upgrade
  std::vector<std::string> places{};  ///< Baseline: `Type.field: what`
  std::string reason{};               ///< never empty in a file
  bool operator==(const Approval&) const = default;
};

std::string FormatApproval(const Approval& approval);
Result<Approval> ParseApproval(std::string_view text, std::string_view file);

/// 16 hex digits that stand for what is approved, whatever the reason: names a pending change.
std::string ApprovalId(const Approval& approval);

/// Writes it under a name that holds a hash of its content. Gives the name, relative to the folder.
Result<std::string> WriteApproval(const std::string& folder, const Approval& approval);

}  // namespace revctl::golden
