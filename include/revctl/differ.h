#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <revctl/detail/visit/archive.h>
#include <revctl/detail/visit/macros.h>
#include <revctl/trace.h>

namespace revctl {

/// One leaf that two objects do not share.
struct Difference {
  std::string path;   ///< `Level.things[3].hp`; `Level.things#count` where lengths differ
  std::string left;   ///< value as text; empty where only the right object has the leaf
  std::string right;  ///< value as text; empty where only the left object has the leaf
  bool operator==(const Difference&) const = default;
};

namespace detail {

/// Pairs leaves by path; where a body visits one path several times, by their order.
inline std::vector<Difference> CompareLeaves(std::vector<TraceLeaf> left,
                                             std::vector<TraceLeaf> right) {
  std::map<std::string, std::vector<std::size_t>> right_by_path;
  for (std::size_t i = right.size(); i-- > 0;) right_by_path[right[i].path].push_back(i);
  std::vector<Difference> differences;
  std::vector<bool> matched(right.size(), false);
  for (TraceLeaf& leaf : left) {
    auto at = right_by_path.find(leaf.path);
    if (at == right_by_path.end() || at->second.empty()) {
      differences.push_back({leaf.path, leaf.text, {}});
      continue;
    }
    const std::size_t i = at->second.back();
    at->second.pop_back();
    matched[i] = true;
    if (right[i].text != leaf.text || right[i].type != leaf.type)
      differences.push_back({leaf.path, leaf.text, right[i].text});
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!matched[i]) differences.push_back({right[i].path, {}, right[i].text});
  }
  return differences;
}

}  // namespace detail

/// Every leaf, saved at `at`, in which two objects differ, in wire order; what only `right` has
/// stands last. Empty: both would be written as the same bytes. Compares what is saved: members
/// that no body visits do not count.
///
/// An object that cannot be written (a body refuses it) is a difference, whatever the other one is:
/// its path ends in
/// `#refused`, the reason stands on its side, and what follows there in the object was not
/// compared.
template <class T>
std::vector<Difference> Differences(const T& left, const T& right, Revision at) {
  TraceWriter a(at), b(at);
  a.CollectPadding(false);
  b.CollectPadding(false);
  Serialize(a, left);
  Serialize(b, right);
  std::vector<Difference> differences = detail::CompareLeaves(a.TakeLeaves(), b.TakeLeaves());
  if (!a.Ok()) differences.push_back({a.error().path + "#refused", a.error().reason, {}});
  if (!b.Ok()) differences.push_back({b.error().path + "#refused", {}, b.error().reason});
  return differences;
}

}  // namespace revctl
