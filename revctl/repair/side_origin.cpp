#include "revctl/repair/side_origin.h"

#include <algorithm>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "revctl/base/hex.h"
#include "revctl/tree/list_at.h"

namespace revctl::commands {
namespace {

using list::Origin;

/// How many commits of a branch that changed the list are looked at; who has more is asked.
constexpr int kMostCommits = 200;

class OriginSearch {
 public:
  OriginSearch(const git::Repository& repository, git::Oid target, list::ListConfig list,
               std::string folder)
      : repository_(repository),
        target_(std::move(target)),
        list_(std::move(list)),
        folder_(std::move(folder)) {}

  Origin Of(std::string_view side, const std::string& name, const std::string& landed) const {
    std::optional<Origin> all;
    for (const git::Oid& commit : CommitsWith(side)) {
      const Origin one = OnLine(commit, name, landed);
      if (all && *all != one) return Origin::Unknown;
      all = one;
    }
    return all.value_or(Origin::Unknown);
  }

  bool Knew(std::string_view side, const std::string& landed) const {
    const auto target = Parsed(target_);
    const list::Entry* const now = target ? target->Find(landed) : nullptr;
    if (now == nullptr) return true;
    const auto commits = CommitsWith(side);
    return std::any_of(commits.begin(), commits.end(), [&](const git::Oid& commit) {
      const auto fork = repository_.MergeBase(commit, target_);
      const auto there = fork.ok() && *fork ? Parsed(**fork) : std::nullopt;
      const list::Entry* const then = there ? there->Find(landed) : nullptr;
      return then != nullptr && then->number == now->number;
    });
  }

 private:
  /// Those of the merge that have this list.
  std::vector<git::Oid> CommitsWith(std::string_view text) const {
    std::vector<git::Oid> out;
    for (const git::Oid& commit : CommitsOfMerge(repository_)) {
      const auto there = ListAt(repository_, commit, folder_, list_);
      if (there.ok() && there->text && *there->text == text) out.push_back(commit);
    }
    return out;
  }

  std::optional<list::RevisionList> Parsed(const git::Oid& commit) const {
    const auto there = ListAt(repository_, commit, folder_, list_);
    if (!there.ok() || !there->text) return std::nullopt;
    auto parsed = list::Parse(*there->text, list_, folder_ + there->config.path);
    if (!parsed.ok()) return std::nullopt;
    return std::move(*parsed);
  }

  static std::vector<git::Oid> Ids(const std::string& lines_of_ids) {
    std::istringstream lines(lines_of_ids);
    std::vector<git::Oid> ids;
    for (git::Oid id; std::getline(lines, id);) ids.push_back(id);
    return ids;
  }

  /// From the oldest commit that changed the list outside the target: which came first.
  Origin OnLine(const git::Oid& tip, const std::string& name, const std::string& landed) const {
    // Under every path that the list has had on this line: the file is moved by the commit that
    // says so in `.revctl.yaml`.
    const std::string config = folder_ + std::string(config::kFileName);
    std::set<std::string> paths{config, folder_ + list_.path};
    const auto said = repository_.Git({"rev-list", "--max-count=" + std::to_string(kMostCommits),
                                       tip, "^" + target_, "--", config});
    if (!said.ok() || !said->ok()) return Origin::Unknown;
    for (git::Oid id : Ids(said->out + tip + "\n" + target_ + "\n")) {
      if (const auto there = ListAt(repository_, id, folder_, list_); there.ok())
        paths.insert(folder_ + there->config.path);
    }
    std::vector<std::string> question{
        "rev-list", "--topo-order", "--reverse", "--max-count=" + std::to_string(kMostCommits),
        tip,        "^" + target_,  "--"};
    question.insert(question.end(), paths.begin(), paths.end());
    const auto listed = repository_.Git(question);
    if (!listed.ok() || !listed->ok()) return Origin::Unknown;
    const std::vector<git::Oid> commits = Ids(listed->out);
    if (commits.size() >= kMostCommits) return Origin::Unknown;
    bool had_landed = false, taken_out = false;
    for (const git::Oid& commit : commits) {
      const auto here = Parsed(commit);
      if (!here) continue;
      if (here->Find(name) == nullptr) {
        taken_out = here->Find(landed) == nullptr;
        had_landed = had_landed || !taken_out;
        continue;
      }
      // Side by side they are two, whatever is left of them now.
      if (const list::Entry* const beside = here->Find(landed);
          beside != nullptr && beside->number != here->Find(name)->number)
        return Origin::Own;
      const auto fork = repository_.MergeBase(commit, target_);
      if (!fork.ok() || !*fork) return Origin::Unknown;
      const auto there = Parsed(**fork);
      if (!there) return Origin::Unknown;
      // One that came when the landed one was gone already has only taken its place.
      if (there->Find(landed) != nullptr) return taken_out ? Origin::Own : Origin::Renamed;
      return had_landed ? Origin::Unknown : Origin::Own;
    }
    return Origin::Unknown;
  }

  const git::Repository& repository_;
  git::Oid target_;
  list::ListConfig list_;
  std::string folder_;
};

}  // namespace

/// `git merge` names its heads in the environment, before it writes MERGE_HEAD; a revert brings the
/// parent of what it reverts.
std::set<git::Oid> CommitsOfMerge(const git::Repository& repository) {
  std::vector<std::string> names{"HEAD",        "MERGE_HEAD",   "CHERRY_PICK_HEAD",
                                 "REBASE_HEAD", "REVERT_HEAD^", "refs/stash"};
  constexpr std::string_view kGitHead = "GITHEAD_";
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::size_t end = text.find('=');
    if (!text.starts_with(kGitHead) || end == text.npos) continue;
    const std::string_view id = text.substr(kGitHead.size(), end - kGitHead.size());
    if (base::IsHex(id)) names.emplace_back(id);
  }
  std::set<git::Oid> commits;
  for (const std::string& name : names) {
    const auto commit = repository.RevParse(name);
    if (commit.ok() && *commit) commits.insert(**commit);
  }
  return commits;
}

std::function<Origin(std::string_view side, const std::string& name, const std::string& landed)>
SideOrigins(const git::Repository& repository, git::Oid target, list::ListConfig list,
            std::string folder) {
  return [search = OriginSearch(repository, std::move(target), std::move(list), std::move(folder))](
             std::string_view side, const std::string& name, const std::string& landed) {
    return search.Of(side, name, landed);
  };
}

std::function<bool(std::string_view side, const std::string& landed)> SidesThatKnew(
    const git::Repository& repository, git::Oid target, list::ListConfig list, std::string folder) {
  return
      [search = OriginSearch(repository, std::move(target), std::move(list), std::move(folder))](
          std::string_view side, const std::string& landed) { return search.Knew(side, landed); };
}

}  // namespace revctl::commands
