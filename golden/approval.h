#pragma once
#include <string>
#include <string_view>

#include "golden/result.h"

namespace golden {

/// A change that a person accepted, with the reason: `approved/HASH.yaml`. Renames are all there is
/// to accept so: what a field or an enumerator means stays, only its name is another. Everything
/// else takes a revision.
struct Approval {
  std::string type;  ///< the record or enum, TypeInfo::name
  std::string from;  ///< the name in older records
  std::string to;    ///< the name from now on
  std::string reason;
  bool operator==(const Approval&) const = default;
};

std::string FormatApproval(const Approval& approval);
Result<Approval> ParseApproval(std::string_view text, std::string_view file);

/// Writes it under a name that holds a hash of its content. Gives the name, relative to the folder.
Result<std::string> WriteApproval(const std::string& folder, const Approval& approval);

}  // namespace golden
