#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/generate/definition.h"

// Checks a definition against the list of revisions, so that errors refer to the definition and not
// to the generated file.
namespace revctl::generate {

struct Revisions {
  std::string path;  ///< path of the list, for messages
  /// Names with this prefix in expressions must be in the list. If empty, expressions are not
  /// checked.
  std::string prefix;
  /// Revisions and other names in the list, with their numbers.
  std::map<std::string, std::int64_t, std::less<>> numbers;
};

/// Returns an error for the first name that is missing from the list or out of order, or nullopt if
/// there is none. `path` is the path of the definition.
std::optional<base::Error> CheckRevisions(const Definition& definition, std::string_view path,
                                          const Revisions& list);

}  // namespace revctl::generate
