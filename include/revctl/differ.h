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

/// A leaf with different values in two objects.
struct Difference {
  std::string path;   ///< `Level.things[3].hp`; `Level.things#count` if the lengths differ
  std::string left;   ///< the value as text; empty if only the right object has the leaf
  std::string right;  ///< the value as text; empty if only the left object has the leaf
  bool operator==(const Difference&) const = default;
};

namespace detail {

/// Returns the differences between two lists of leaves. Leaves are paired by path; leaves with the
/// same path are paired in visit order.
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

/// Returns every leaf in which two objects differ when saved at revision `at`, in wire order;
/// leaves that only `right` contains come last. An empty result means that both objects produce the
/// same bytes. Members that no body visits are not compared.
///
/// If a body rejects one of the objects, the result contains a leaf whose path ends in `#refused`
/// and whose value for that object is the reason. Nothing after that leaf is compared.
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
