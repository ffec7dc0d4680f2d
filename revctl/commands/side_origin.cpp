#include "revctl/commands/side_origin.h"

#include <unistd.h>

#include <optional>
#include <set>
#include <sstream>
#include <vector>

namespace revctl::commands {
namespace {

using list::Origin;

/// How many commits of a branch that changed the list are looked at; who has more is asked.
constexpr int kMostCommits = 200;

class OriginSearch {
 public:
  OriginSearch(const git::Repository& repository, git::Oid target, list::ListConfig list, std::string path)
      : repository_(repository), target_(std::move(target)), list_(std::move(list)), path_(std::move(path)) {}

  Origin Of(std::string_view side, const std::string& name, const std::string& landed) const {
    std::optional<Origin> all;
    for (const git::Oid& commit : CommitsOfMerge(repository_)) {
      const auto text = repository_.ReadFile(commit, path_);
      if (!text.ok() || !text->has_value() || **text != side) continue;
      const Origin one = OnLine(commit, name, landed);
      if (all && *all != one) return Origin::Unknown;
      all = one;
    }
    return all.value_or(Origin::Unknown);
  }

 private:
  std::optional<list::RevisionList> ListAt(const git::Oid& commit) const {
    const auto text = repository_.ReadFile(commit, path_);
    if (!text.ok() || !text->has_value()) return std::nullopt;
    auto parsed = list::Parse(**text, list_, path_);
    if (!parsed.ok()) return std::nullopt;
    return std::move(*parsed);
  }

  /// From the oldest commit that changed the list outside the target: which came first.
  Origin OnLine(const git::Oid& tip, const std::string& name, const std::string& landed) const {
    const auto listed = repository_.Git({"rev-list", "--topo-order", "--reverse", "--max-count=" + std::to_string(kMostCommits), tip, "^" + target_, "--", path_});
    if (!listed.ok() || !listed->ok()) return Origin::Unknown;
    std::istringstream lines(listed->out);
    std::vector<git::Oid> commits;
    for (git::Oid id; std::getline(lines, id);) commits.push_back(id);
    if (commits.size() >= kMostCommits) return Origin::Unknown;
    bool had_landed = false;
    for (const git::Oid& commit : commits) {
      const auto here = ListAt(commit);
      if (!here) continue;
      if (here->Find(name) == nullptr) {
        had_landed = had_landed || here->Find(landed) != nullptr;
        continue;
      }
      const auto fork = repository_.MergeBase(commit, target_);
      if (!fork.ok() || !*fork) return Origin::Unknown;
      const auto there = ListAt(**fork);
      if (!there) return Origin::Unknown;
      if (there->Find(landed) != nullptr) return Origin::Renamed;
      return had_landed ? Origin::Unknown : Origin::Own;
    }
    return Origin::Unknown;
  }

  const git::Repository& repository_;
  git::Oid target_;
  list::ListConfig list_;
  std::string path_;
};

}  // namespace

/// `git merge` names its heads in the environment, before it writes MERGE_HEAD; a revert brings the parent of what it reverts.
std::set<git::Oid> CommitsOfMerge(const git::Repository& repository) {
  std::vector<std::string> names{"HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD", "REVERT_HEAD^", "refs/stash"};
  constexpr std::string_view kHead = "GITHEAD_";
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::size_t end = text.find('=');
    if (!text.starts_with(kHead) || end == text.npos) continue;
    const std::string_view id = text.substr(kHead.size(), end - kHead.size());
    if (id.find_first_not_of("0123456789abcdef") == id.npos) names.emplace_back(id);
  }
  std::set<git::Oid> commits;
  for (const std::string& name : names) {
    const auto commit = repository.RevParse(name);
    if (commit.ok() && *commit) commits.insert(**commit);
  }
  return commits;
}

std::function<Origin(std::string_view side, const std::string& name, const std::string& landed)> SideOrigins(
    const git::Repository& repository, git::Oid target, list::ListConfig list, std::string path) {
  return [search = OriginSearch(repository, std::move(target), std::move(list), std::move(path))](
             std::string_view side, const std::string& name, const std::string& landed) { return search.Of(side, name, landed); };
}

}  // namespace revctl::commands
