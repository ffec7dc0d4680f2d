#include "harness/history/entry_order.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string_view>

namespace revctl::harness {
namespace {

using LeafList = std::vector<golden::Leaf>;

struct InEntry {
  std::size_t index = 0;
  std::string_view rest;  ///< of the path; a key's begins with `#key`
  bool is_key = false;
};

/// Where a leaf stands in the container at `path`: `path#key[3].x`, `path[3].x`.
std::optional<InEntry> EntryOf(std::string_view leaf, std::string_view path) {
  if (!leaf.starts_with(path)) return std::nullopt;
  leaf.remove_prefix(path.size());
  InEntry entry;
  entry.is_key = leaf.starts_with("#key[");
  if (!entry.is_key && !leaf.starts_with('[')) return std::nullopt;
  leaf.remove_prefix(entry.is_key ? 5 : 1);
  const auto read = std::from_chars(leaf.data(), leaf.data() + leaf.size(), entry.index);
  if (read.ec != std::errc() || read.ptr == leaf.data() + leaf.size() || *read.ptr != ']')
    return std::nullopt;
  entry.rest = leaf.substr(static_cast<std::size_t>(read.ptr - leaf.data()) + 1);
  return entry;
}

/// The entries of one container, each as its leaves, in an order that is theirs alone.
bool Sort(const std::string& path, LeafList& leaves) {
  std::map<std::size_t, std::vector<std::pair<std::string, std::string>>> entries;
  std::map<std::size_t, std::vector<golden::Leaf*>> places;
  for (golden::Leaf& leaf : leaves) {
    const auto entry = EntryOf(leaf.path, path);
    if (!entry) continue;
    entries[entry->index].emplace_back((entry->is_key ? "#key" : "") + std::string(entry->rest),
                                       leaf.text);
    places[entry->index].push_back(&leaf);
  }
  std::vector<std::size_t> order;
  for (const auto& [index, parts] : entries) order.push_back(index);
  const auto before = order;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return entries[a] < entries[b]; });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::string at = "[" + std::to_string(before[i]) + "]";
    const auto& parts = entries[order[i]];
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const bool is_key = parts[k].first.starts_with("#key");
      places[order[i]][k]->path =
          path + (is_key ? "#key" : "") + at + parts[k].first.substr(is_key ? 4 : 0);
    }
  }
  return order != before;
}

}  // namespace

std::vector<std::string> OnlyReordered(const LeafList& expected, const Traced& now,
                                       const Renames& renames) {
  std::vector<std::string> containers;
  for (const std::string& path : now.keyed) containers.push_back(renames.CanonicalPath(path));
  // Inner ones first, since what an entry holds decides about its place.
  std::stable_sort(containers.begin(), containers.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  const auto canonical = [&](LeafList leaves) {
    for (golden::Leaf& leaf : leaves) leaf.path = renames.CanonicalPath(leaf.path);
    return leaves;
  };
  LeafList was = canonical(expected), is = canonical(now.leaves);
  std::vector<std::string> reordered;
  for (const std::string& path : containers) {
    // Each side may have had the order that is sorted here.
    const bool one = Sort(path, was), other = Sort(path, is);
    if (one != other) reordered.push_back(path);
  }
  if (!renames.Compare(was, is).empty()) return {};
  if (reordered.empty()) reordered.push_back(containers.empty() ? "" : containers.back());
  return reordered;
}

}  // namespace revctl::harness
