#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "revctl/list/testing/test_lists.h"
#include "tests/support/branch_order.h"

namespace revctl::list::testing {

/// The commits of a list, kept in memory. Each commit comes after its parents.
struct Commits {
  struct Commit {
    std::vector<std::size_t> parents;
    std::string text;
  };
  std::vector<Commit> commits;

  std::set<std::size_t> Ancestors(std::size_t tip) const {
    std::set<std::size_t> seen{tip};
    for (auto at = seen.rbegin(); at != seen.rend(); ++at)
      seen.insert(commits[*at].parents.begin(), commits[*at].parents.end());
    return seen;
  }
  std::size_t MergeBase(std::size_t a, std::size_t b) const {
    const auto one = Ancestors(a), two = Ancestors(b);
    return *std::find_if(one.rbegin(), one.rend(),
                         [&](std::size_t commit) { return two.contains(commit); });
  }

  revctl::testing::Entries EntriesOf(std::size_t commit) const {
    revctl::testing::Entries out;
    for (const Entry& entry : Parsed(commit).entries) out.emplace_back(entry.name, entry.number);
    return out;
  }

  RevisionList Parsed(std::size_t commit) const { return testing::Parsed(commits[commit].text); }
  std::size_t Put(Commit commit) {
    commits.push_back(std::move(commit));
    return commits.size() - 1;
  }
};

}  // namespace revctl::list::testing
