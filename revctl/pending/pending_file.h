#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"

namespace revctl::pending {

/// A pending file larger than this is refused. Real ones have some hundred bytes.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} << 10;
inline constexpr std::size_t kMaxMessage = 1000;

/// One pending revision, as its file says it. The file's name is the revision's.
struct PendingRevision {
  std::string message;             ///< one line; becomes the entry's comment; may be empty
  std::vector<std::string> after;  ///< revisions that must stand before it
};

/// Reads a pending file; errors begin with `path:line:column`. Unknown keys, keys given twice,
/// anchors, several documents and names that are no C++ names are errors.
base::Result<PendingRevision> ParsePendingFile(std::string_view text, std::string_view path);

/// The text of a pending file. Same value, same bytes.
std::string FormatPendingFile(const PendingRevision& revision);

}  // namespace revctl::pending
