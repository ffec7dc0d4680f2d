#pragma once
#include <nlohmann/json.hpp>

#include "revctl/base/system/process.h"
#include "tests/scenarios/team.h"

// A team whose list has `numbers: at-landing`, and helpers that check its commits.
namespace revctl::testing {

inline constexpr const char* kFolder = "src/master_version_list.pending/";
inline constexpr const char* kInclude = "src/master_version_list.pending.inc";

struct LandingTeam : Team {
  explicit LandingTeam(const std::vector<std::string>& people = {"ann", "bob"}) : Team(people) {
    const std::string& first = people[0];
    auto turned = Revctl(first, {"init", "--numbers", "at-landing", "--yes", "--offline"});
    if (turned.status != 0) throw std::runtime_error(turned.err);
    Land(first);
    GuardServer();
    for (std::size_t i = 1; i < people.size(); ++i) sandbox.Git(people[i], {"pull", "-q"});
  }

  /// Pushes a branch with these revisions and code that uses them.
  void Branch(const std::string& person, const std::string& branch,
              const std::vector<std::string>& names) const {
    sandbox.Git(person, {"fetch", "-q"});
    sandbox.Git(person, {"checkout", "-q", "-b", branch, "origin/main"});
    for (const std::string& name : names) Reserve(person, name);
    sandbox.CommitAll(person, branch);
    sandbox.Git(person, {"push", "-q", "--no-verify", "origin", branch});
  }
  void Reserve(const std::string& person, const std::string& name) const {
    auto run = Revctl(person, {"reserve", name, "-m", "for " + name});
    if (run.status != 0) throw std::runtime_error(run.err);
    sandbox.Write(person + "/src/use_" + name + ".cpp", "int use_" + name + " = " + name + ";\n");
  }
  /// Merges as a host's merge button does, without the driver and hooks.
  base::ProcessResult HostMerges(const std::string& branch) const {
    if (!sandbox.Exists("host")) sandbox.Clone(Url(), "host", "host");
    sandbox.Git("host", {"fetch", "-q"});
    sandbox.Git("host", {"checkout", "-q", "-B", "main", "origin/main"});
    auto merged = sandbox.TryGit("host", {"-c", "merge.revctl.driver=false", "merge", "-q",
                                          "--no-edit", "--no-ff", "origin/" + branch});
    if (merged.status != 0) return merged;
    return sandbox.TryGit("host", {"push", "-q", "origin", "main"});
  }
  std::string ListOnMain(const std::string& person) const {
    sandbox.Git(person, {"fetch", "-q"});
    return sandbox.Git(person, {"show", std::string("origin/main:") + kList});
  }
};

/// Returns the findings of `check` for the work tree, one per line, such as "RV029 error".
inline std::string Rules(const Team& team, const std::string& person,
                         const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"check", "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const auto run = team.Revctl(person, arguments);
  const auto said = nlohmann::json::parse(run.out, nullptr, false);
  if (said.is_discarded()) return run.err;
  std::string out;
  for (const auto& finding : said.at("findings"))
    out += (out.empty() ? "" : "\n") + finding.at("rule").get<std::string>() + " " +
           finding.at("severity").get<std::string>();
  return out;
}

/// Returns an error for each commit in the target's first-parent history that does not compile, or
/// that the gate rejects as a change to the previous commit. Returns "" if there are no such
/// commits. Commits without pending files must compile without running revctl.
inline std::string RedCommits(const Team& team) {
  std::string out, before;
  team.sandbox.Clone(team.Url(), "walk", "walk");
  std::istringstream commits(team.sandbox.Git(
      "walk", {"log", "--reverse", "--first-parent", "--format=%H %s", "origin/main"}));
  for (std::string line; std::getline(commits, line);) {
    const std::string commit = line.substr(0, line.find(' '));
    team.sandbox.Git("walk", {"clean", "-fdxq"});
    team.sandbox.Git("walk", {"checkout", "-q", commit});
    const std::string pending =
        team.sandbox.Git("walk", {"ls-files", "--", std::string(kFolder) + "*.yaml"});
    if (!pending.empty()) out += team.Revctl("walk", {"sync", "-q"}).err;
    const auto built = team.sandbox.Run(
        "walk", {"sh", "-c",
                 "for file in src/*.cpp; do [ -e \"$file\" ] || continue; c++ -std=c++20 "
                 "-fsyntax-only -include src/master_version_list.h \"$file\" || exit 1; done"});
    if (built.status != 0) out += line + ": " + built.err;
    if (!before.empty()) {
      const auto gate =
          team.Revctl("walk", {"check", "--head", commit, "--target", before, "--base", before});
      if (gate.status != 0) out += line + ": " + gate.out + gate.err;
    }
    before = commit;
  }
  return before.empty() ? "no commit" : out;
}

}  // namespace revctl::testing
