#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Computes how deeply the objects of a stream own each other. Destructors of owners recurse, so
// destroying a chain of a million owners would overflow the stack, long after the chain was read.

namespace revctl::detail {

/// Ownership depths of a graph. `parents[i]` is the only owner of object i + 1, or 0 if the object
/// has no owner or several. Each pair in `shared` consists of an owner and an object that it
/// shares. Ids must be in range, and `parents` must not contain cycles.
class OwnershipDepths {
 public:
  OwnershipDepths(const std::vector<std::uint32_t>& parents,
                  const std::vector<std::pair<std::uint32_t, std::uint32_t>>& shared)
      : parents_(parents), depths_(parents.size(), 0), ring_(parents.size(), 0) {
    if (shared.empty()) {
      Chains();  // without shared objects, the graph is a forest and has no rings
      return;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const auto& [owner, owned] : shared) edges.emplace_back(owner - 1, owned - 1);
    for (std::size_t i = 0; i < parents.size(); ++i) {
      if (parents[i] != 0) edges.emplace_back(parents[i] - 1, static_cast<std::uint32_t>(i));
    }
    FindRings(edges);
    Chains();
    AddRingsAbove(edges);
  }

  /// Returns the depths of all objects. Objects that only roots own have depth 0, and all others
  /// are one level deeper than their deepest owner. All objects in a ring of shared objects have
  /// the same depth, because a ring can be destroyed only by explicit code, in any order.
  const std::vector<std::uint32_t>& Depths() const { return depths_; }

 private:
  using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

  /// Edges grouped by the object at which they start.
  struct Neighbours {
    std::vector<std::uint32_t> first, to;
    Neighbours(std::size_t count, const Edges& edges, bool backwards)
        : first(count + 1, 0), to(edges.size()) {
      for (const auto& [a, b] : edges) ++first[(backwards ? b : a) + 1];
      for (std::size_t i = 0; i < count; ++i) first[i + 1] += first[i];
      std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
      for (const auto& [a, b] : edges) to[next[backwards ? b : a]++] = backwards ? a : b;
    }
  };

  /// Visits all objects reachable from `start` that are not yet `seen`, and calls `done` for each
  /// object after its successors.
  template <class Done>
  static void Walk(const Neighbours& graph, std::uint32_t start, std::vector<bool>& seen,
                   Done done) {
    if (seen[start]) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> open{{start, graph.first[start]}};
    seen[start] = true;
    while (!open.empty()) {
      auto& [at, edge] = open.back();
      if (edge == graph.first[at + 1]) {
        done(at);
        open.pop_back();
        continue;
      }
      const std::uint32_t next = graph.to[edge++];
      if (seen[next]) continue;
      seen[next] = true;
      open.emplace_back(next, graph.first[next]);
    }
  }

  /// Numbers the rings with Kosaraju's algorithm. Objects that can reach each other get the same
  /// number, and an owner outside a ring gets a lower number than the objects that it owns.
  void FindRings(const Edges& edges) {
    const std::size_t count = parents_.size();
    std::vector<std::uint32_t> order;
    std::vector<bool> seen(count, false);
    const Neighbours down(count, edges, false);
    for (std::uint32_t i = 0; i < count; ++i)
      Walk(down, i, seen, [&](std::uint32_t at) { order.push_back(at); });
    seen.assign(count, false);
    const Neighbours up(count, edges, true);
    for (std::size_t i = count; i > 0; --i) {
      if (seen[order[i - 1]]) continue;
      Walk(up, order[i - 1], seen, [&](std::uint32_t at) { ring_[at] = rings_; });
      ++rings_;
    }
  }

  /// Computes the depths of objects along chains of owners in the same ring.
  void Chains() {
    std::vector<std::uint32_t> chain;
    std::vector<bool> known(parents_.size(), false);
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
      std::uint32_t at = i;
      while (!known[at]) {
        chain.push_back(at);
        known[at] = true;
        if (parents_[at] == 0 || ring_[parents_[at] - 1] != ring_[at]) break;
        at = parents_[at] - 1;
      }
      for (; !chain.empty(); chain.pop_back()) {
        const std::uint32_t object = chain.back(), parent = parents_[object];
        depths_[object] =
            parent != 0 && ring_[parent - 1] == ring_[object] ? depths_[parent - 1] + 1 : 0;
      }
    }
  }

  void AddRingsAbove(Edges& edges) {
    std::vector<std::uint32_t> tall(rings_, 0), above(rings_, 0);
    for (std::size_t i = 0; i < ring_.size(); ++i)
      tall[ring_[i]] = (std::max)(tall[ring_[i]], depths_[i] + 1);
    std::sort(edges.begin(), edges.end(),
              [&](const auto& a, const auto& b) { return ring_[a.first] < ring_[b.first]; });
    for (const auto& [owner, owned] : edges) {
      const std::uint32_t from = ring_[owner], to = ring_[owned];
      if (from != to) above[to] = (std::max)(above[to], above[from] + tall[from]);
    }
    for (std::size_t i = 0; i < ring_.size(); ++i) depths_[i] += above[ring_[i]];
  }

  const std::vector<std::uint32_t>& parents_;
  std::vector<std::uint32_t> depths_, ring_;
  std::uint32_t rings_ = 0;
};

}  // namespace revctl::detail
