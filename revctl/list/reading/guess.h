#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// An enum that may be a version list, and the .revctl.yaml settings that would select it.
struct Guess {
  ListConfig config;      ///< enum, prefix, aliases, sentinel, current and oldest entry
  RevisionList list;      ///< the file as parsed with `config`
  std::string enum_name;  ///< qualified name; empty if the enum is anonymous
  int likeness = 0;       ///< how much the enum looks like a version list; higher means more likely
};

/// Minimum value of Guess::likeness for revctl to propose an enum as the list.
inline constexpr int kLikelyList = 5;

/// Returns the enums of `text` that can be parsed as a list and that revctl can edit, most likely
/// first. Keeps the settings in `given` (prefix, enum, name, golden folder). If `any_prefix` is
/// true, the prefix in `given` is only the default and may be replaced.
std::vector<Guess> GuessLists(std::string_view text, const ListConfig& given, bool any_prefix,
                              std::string_view path);

/// True if `name` is a common name for an alias of the oldest readable revision, for example
/// `MINIMAL` or `kVersion_LowestSupported`.
bool NamesOldest(std::string_view name);

}  // namespace revctl::list
