#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {

/// An enum that may be a version list, and how .revctl.yaml would describe it.
struct Guess {
  ListConfig config;      ///< with the enum, prefix, aliases, sentinel, current and oldest entry
  RevisionList list;      ///< the file as `config` reads it
  std::string enum_name;  ///< qualified; empty where the enum has none
  int likeness = 0;       ///< how much speaks for a version list; a person's own word is not in it
};

/// Below this likeness an enum is not proposed.
inline constexpr int kLikelyList = 5;

/// Enums of `text` that can be read as a list, the likeliest first. What `given` holds (prefix,
/// enum, name, golden folder) stands; `any_prefix`: its prefix is a default, and may be replaced.
/// Enums that revctl could not edit are left out.
std::vector<Guess> GuessLists(std::string_view text, const ListConfig& given, bool any_prefix,
                              std::string_view path);

/// `MINIMAL`, `kVersion_LowestSupported`: an alias of the oldest revision that is still read.
bool NamesOldest(std::string_view name);

}  // namespace revctl::list
