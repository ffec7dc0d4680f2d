#pragma once
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/layout/renames.h"

// How the signals about values show what changed.
namespace revctl::harness {

/// As many changes of a golden are written out; a finding counts the rest.
constexpr std::size_t kShown = 6;

inline std::string Side(const std::optional<std::string>& side) {
  return side ? *side : "not there";
}

/// ", and 2 more values differ": of `differing` values the first was told.
inline std::string AndMore(std::size_t differing) {
  if (differing <= 1) return "";
  return ", and " + std::to_string(differing - 1) +
         (differing == 2 ? " more value differs" : " more values differ");
}

/// What `now` calls a value that was recorded at `path`: with the names that its fields got since.
/// `path` where it is not there.
inline std::string PathNow(const Renames& renames, const std::string& path,
                           const std::vector<golden::Leaf>& now) {
  const auto called = [&](const auto& same) {
    const auto found = std::find_if(now.begin(), now.end(),
                                    [&](const golden::Leaf& leaf) { return same(leaf.path); });
    return found == now.end() ? std::string() : found->path;
  };
  if (!called([&](const std::string& other) { return other == path; }).empty()) return path;
  const std::string known = renames.CanonicalPath(path);
  const std::string renamed =
      called([&](const std::string& other) { return renames.CanonicalPath(other) == known; });
  return renamed.empty() ? path : renamed;
}

/// A line for each of the first changes: what was recorded, and what is there now, called as `now`
/// does.
inline std::string ShownChanges(const Renames& renames, const std::vector<golden::Change>& changes,
                                const std::vector<golden::Leaf>& now) {
  std::string lines;
  for (std::size_t i = 0; i < changes.size() && i < kShown; ++i) {
    lines += "\n" + PathNow(renames, changes[i].path, now) + ": recorded " +
             Side(changes[i].before) + ", now " + Side(changes[i].after);
  }
  return lines;
}

}  // namespace revctl::harness
