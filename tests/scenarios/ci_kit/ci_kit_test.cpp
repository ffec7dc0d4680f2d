// Tests the kit for CI systems (action.yml, ci/kit, ci/github, ci/gitlab, .pre-commit-hooks.yaml)
// and its page. The scripts are extracted from the files and run in real repositories, with the
// host's environment and event files.
#include <yaml-cpp/yaml.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "revctl/base/process.h"
#include "tests/scenarios/late_team.h"

using namespace revctl::testing;
namespace fs = std::filesystem;

namespace {

using Strings = std::vector<std::string>;

YAML::Node KitFile(const std::string& name) {
  return YAML::LoadFile(std::string(REVCTL_SOURCES) + "/" + name);
}

/// Returns the YAML blocks of docs/ci.md, in order.
std::vector<YAML::Node> BlocksOfPage() {
  std::ifstream page(std::string(REVCTL_SOURCES) + "/docs/ci.md");
  REQUIRE(page);
  std::vector<YAML::Node> out;
  std::string block;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```yaml") {
      inside = true;
      block.clear();
    } else if (inside && line == "```") {
      inside = false;
      out.push_back(YAML::Load(block));
    } else if (inside) {
      block += line + "\n";
    }
  }
  CHECK_FALSE(inside);
  return out;
}

std::set<std::string> Keys(const YAML::Node& map) {
  std::set<std::string> out;
  for (const auto& entry : map) out.insert(entry.first.as<std::string>());
  return out;
}

/// Checks that every step that uses the action passes only inputs that the action has.
void CheckInputs(const YAML::Node& steps) {
  const std::set<std::string> inputs = Keys(KitFile("action.yml")["inputs"]);
  for (const auto& step : steps) {
    if (!step["uses"] || step["uses"].as<std::string>() != "OWNER/revctl@v0.1.0") continue;
    for (const std::string& given : Keys(step["with"])) {
      INFO(given);
      CHECK(inputs.contains(given));
    }
  }
}

/// A CI host for a team in which Ann is late.
struct Host : LateTeam {
  std::string event;
  Host() {
    for (const char* folder : {"runner", "fork"}) fs::create_directories(sandbox.Path(folder));
    event = "GITHUB_EVENT_PATH=" + sandbox.Path("event.json");
  }

  /// Runs the steps of action.yml like GitHub's runner, without evaluating `if` and without
  /// uploads. Returns the last step's result.
  revctl::base::ProcessResult Action(const std::string& directory, Strings environment,
                                     const std::map<std::string, std::string>& given = {}) const {
    const YAML::Node action = KitFile("action.yml");
    for (const char* file : {"output", "summary", "path"}) sandbox.Write(file, "");
    for (const auto& [name, file] :
         {std::pair("GITHUB_OUTPUT", "output"), std::pair("GITHUB_STEP_SUMMARY", "summary"),
          std::pair("GITHUB_PATH", "path")})
      environment.push_back(std::string(name) + "=" + sandbox.Path(file));
    environment.insert(
        environment.end(),
        {"CI=true", "GITHUB_ACTIONS=true", "RUNNER_TEMP=" + sandbox.Path("runner"),
         "GITHUB_WORKSPACE=" + sandbox.Path(directory), "GITHUB_ACTION_PATH=" REVCTL_SOURCES});
    revctl::base::ProcessResult last;
    for (const auto& step : action["runs"]["steps"]) {
      if (!step["run"]) continue;
      const std::string run = step["run"].as<std::string>();
      CHECK(run.find("${{") == std::string::npos);  // inputs must not be interpolated into scripts
      Strings own = environment;
      for (const auto& variable : step["env"]) {
        std::string value = variable.second.as<std::string>();  // ${{ inputs.NAME }}
        REQUIRE(value.starts_with("${{ inputs."));
        const std::string input = value.substr(11, value.size() - 11 - 3);
        REQUIRE(action["inputs"][input].IsDefined());
        const auto told = given.find(input);
        value = told == given.end() ? action["inputs"][input]["default"].as<std::string>()
                                    : told->second;
        own.push_back(variable.first.as<std::string>() + "=" + value);
      }
      last = sandbox.Run(directory, {"bash", "-eo", "pipefail", "-c", run}, own);
      if (last.status != 0) break;
    }
    return last;
  }

  /// Runs the script of a job of ci/gitlab/revctl.yml with the file's variables.
  revctl::base::ProcessResult Job(const std::string& directory, const std::string& job,
                                  Strings environment) const {
    const YAML::Node file = KitFile("ci/gitlab/revctl.yml");
    Strings own = {"CI=true", "GITLAB_CI=true"};
    for (const auto& variable : file["variables"])
      own.push_back(variable.first.as<std::string>() + "=" + variable.second.as<std::string>());
    own.insert(own.end(), environment.begin(), environment.end());
    std::string script = "set -e\n";
    for (const auto& line : file[job]["script"]) script += line.as<std::string>() + "\n";
    return sandbox.Run(directory, {"bash", "-c", script}, own);
  }
};

}  // namespace

TEST_CASE("docs/ci.md shows what the kit has", "[kit][docs]") {
  const auto blocks = BlocksOfPage();
  REQUIRE(blocks.size() == 3);
  CheckInputs(blocks[0]["steps"]);
  const YAML::Node gitlab = KitFile("ci/gitlab/revctl.yml");
  CHECK(blocks[1]["include"][0]["file"].as<std::string>() == "ci/gitlab/revctl.yml");
  for (const std::string& variable : Keys(blocks[1]["variables"]))
    CHECK(gitlab["variables"][variable].IsDefined());
  std::set<std::string> hooks, shown;
  for (const auto& hook : KitFile(".pre-commit-hooks.yaml"))
    hooks.insert(hook["id"].as<std::string>());
  for (const auto& hook : blocks[2]["repos"][0]["hooks"])
    shown.insert(hook["id"].as<std::string>());
  CHECK(hooks == shown);
}

TEST_CASE("ci/github: the workflows' events and rights match the page", "[kit]") {
  const YAML::Node gate = KitFile("ci/github/gate.yml");
  CHECK(Keys(gate["on"]) == std::set<std::string>{"merge_group", "pull_request", "push"});
  CHECK(gate["permissions"].size() == 1);
  CHECK(gate["permissions"]["contents"].as<std::string>() == "read");
  const YAML::Node revisions = gate["jobs"]["revisions"]["steps"];
  CHECK(revisions[0]["uses"].as<std::string>() == "actions/checkout@v4");
  CHECK(revisions[0]["with"]["fetch-depth"].as<int>() == 0);
  for (const char* job : {"revisions", "saves"}) CheckInputs(gate["jobs"][job]["steps"]);
  const YAML::Node land = KitFile("ci/github/land.yml");
  CHECK(Keys(land["on"]) == std::set<std::string>{"workflow_dispatch"});
  CHECK(land["permissions"]["contents"].as<std::string>() == "write");
  for (const char* file : {"gate", "land", "fold", "nightly"}) {
    for (const auto& job : KitFile("ci/github/" + std::string(file) + ".yml")["jobs"]) {
      for (const auto& step : job.second["steps"]) {
        // Names chosen by users or branches must not be interpolated into scripts.
        if (step["run"]) CHECK(step["run"].as<std::string>().find("${{") == std::string::npos);
      }
    }
  }
}

TEST_CASE("action.yml: pull request, merge group, push, fork on GitHub", "[kit]") {
  Host host;
  host.sandbox.Write("event.json", R"({"merge_group": {"base_sha": ")" + host.before +
                                       R"(", "base_ref": "refs/heads/main"}, "before": ")" +
                                       host.before + "\"}");
  const auto late =
      host.Action("ann", {"GITHUB_EVENT_NAME=pull_request", "GITHUB_BASE_REF=main", host.event});
  INFO(late.out << late.err);
  CHECK(late.status == 1);
  CHECK(late.out.find("target   origin/main at ") != std::string::npos);
  CHECK(late.out.find("::error file=src/master_version_list.h") != std::string::npos);
  const std::string sarif = host.sandbox.Path("runner/revctl.sarif");
  CHECK(host.sandbox.Read("output") == "sarif=" + sarif + "\n");
  const auto report = nlohmann::json::parse(host.sandbox.Read("runner/revctl.sarif"));
  CHECK(report["runs"][0]["tool"]["driver"]["rules"][0].contains("help"));
  const std::string summary = host.sandbox.Read("summary");
  CHECK(summary.starts_with("### revctl: not fine (exit 1)\n\n    src/master_version_list.h:"));
  CHECK(summary.find("error[RV006]") != std::string::npos);

  const auto fine = [&](const std::string& directory, const Strings& environment) {
    auto ran = host.Action(directory, environment);
    INFO(ran.out << ran.err);
    CHECK(ran.status == 0);
    CHECK(host.sandbox.Read("summary").starts_with("### revctl: fine\n"));
    return ran.out;
  };
  CHECK(fine("ann", {"GITHUB_EVENT_NAME=merge_group", host.event})
            .find("the commit that the merge group is built on: merge_group.base_sha") !=
        std::string::npos);
  CHECK(fine("ann", {"GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=main", host.event})
            .find("what the branch was before the push: `before`") != std::string::npos);
  CHECK(host.Action("ann", {"GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=feature", host.event})
            .status == 1);
  // For a fork's pull request GitHub makes a shallow checkout of the merge with the target.
  host.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:refs/pull/7/head"});
  host.sandbox.Git("bob", {"fetch", "-q", "origin", "refs/pull/7/head"});
  host.sandbox.TryGit("bob", {"-c", "merge.revctl.driver=false", "merge", "-q", "-s", "ours",
                              "--no-edit", "FETCH_HEAD"});
  host.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:refs/pull/7/merge"});
  host.sandbox.Git("fork", {"init", "-q"});
  host.sandbox.Git("fork", {"remote", "add", "origin", host.Url()});
  host.sandbox.Git("fork", {"fetch", "-q", "--depth=1", "origin", "refs/pull/7/merge"});
  host.sandbox.Git("fork", {"checkout", "-q", "--detach", "FETCH_HEAD"});
  fine("fork", {"GITHUB_EVENT_NAME=pull_request", "GITHUB_BASE_REF=main", host.event});
  // A check that cannot run has no findings and reports what is missing.
  host.sandbox.Write("event.json", "{}");
  const auto unsaid = host.Action("ann", {"GITHUB_EVENT_NAME=merge_group", host.event});
  CHECK(unsaid.status == 3);
  CHECK(host.sandbox.Read("summary") == "### revctl: not fine (exit 3)\n");
  CHECK(host.sandbox.Read("output").empty());
}

TEST_CASE("action.yml: a harness, and a release archive", "[kit]") {
  Host host;
  const auto checked =
      host.Action("ann", {"GITHUB_EVENT_NAME=pull_request"}, {{"harness", REVCTL_PONG_HARNESS}});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
  CHECK(host.sandbox.Read("summary") == "### pong_harness: fine\n");
  CHECK(host.sandbox.Read("output") ==
        "sarif=" + host.sandbox.Path("runner/pong_harness.sarif") + "\n");

  fs::create_directories(host.sandbox.Path("made/revctl-0.1.0/bin"));
  host.sandbox.Write("made/revctl-0.1.0/bin/revctl", "#!/bin/sh\necho revctl of the archive\n");
  fs::permissions(host.sandbox.Path("made/revctl-0.1.0/bin/revctl"), fs::perms::owner_all);
  REQUIRE(host.sandbox.Run("made", {"tar", "czf", "revctl.tar.gz", "revctl-0.1.0"}).status == 0);
  const std::string sum =
      host.sandbox.Run("made", {"sha256sum", "revctl.tar.gz"}).out.substr(0, 64);
  const auto installed = [&](const std::string& release, const std::string& checksum,
                             Strings more = {}) {
    more.insert(more.end(), {"REVCTL_RELEASE=" + release, "REVCTL_SHA256=" + checksum,
                             "RUNNER_TEMP=" + host.sandbox.Path("runner"),
                             "GITHUB_PATH=" + host.sandbox.Path("path")});
    return host.sandbox.Run("ann", {REVCTL_SOURCES "/ci/kit/install"}, more);
  };
  host.sandbox.Write("path", "");
  std::string archive = "file://" + host.sandbox.Path("made/revctl.tar.gz");
  while (archive.find(' ') != std::string::npos) archive.replace(archive.find(' '), 1, "%20");
  const auto fetched = installed(archive, sum);
  INFO(fetched.out << fetched.err);
  CHECK(fetched.status == 0);
  CHECK(fetched.err == "revctl of the archive\n");
  const std::string folder = host.sandbox.Path("runner/revctl/revctl-0.1.0/bin") + "\n";
  CHECK(fetched.out == folder);
  CHECK(host.sandbox.Read("path") == folder);
  const auto wrong = installed(archive, std::string(64, '0'));
  CHECK(wrong.status == 3);
  CHECK(wrong.err.find("has the SHA-256 " + sum) != std::string::npos);
  CHECK_FALSE(host.sandbox.Exists("runner/revctl/revctl.tar.gz"));
  CHECK(installed(archive, "").status == 2);
  CHECK(installed("file:///nowhere.tar.gz", sum).status == 3);
  CHECK(installed("", "").out.starts_with("revctl "));
  CHECK(installed("", "", {"PATH=/usr/bin:/bin"}).status == 3);
}

TEST_CASE("ci/gitlab: merge requests, trains, pushes, shards, reports", "[kit]") {
  Host host;
  const Strings request = {"CI_PIPELINE_SOURCE=merge_request_event",
                           "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
                           "CI_MERGE_REQUEST_EVENT_TYPE=merged_result"};
  const auto late = host.Job("ann", "revctl-gate", request);
  INFO(late.out << late.err);
  CHECK(late.status == 1);
  CHECK(late.out.find("event merged_result") != std::string::npos);
  CHECK(late.out.find("error[RV006]") != std::string::npos);  // the log must be readable
  const YAML::Node reports = KitFile("ci/gitlab/revctl.yml")["revctl-gate"]["artifacts"]["reports"];
  const auto quality =
      nlohmann::json::parse(host.sandbox.Read("ann/" + reports["codequality"].as<std::string>()));
  CHECK(quality.at(0).contains("fingerprint"));
  CHECK(host.sandbox.Read("ann/" + reports["junit"].as<std::string>()).find("<failure") !=
        std::string::npos);
  Strings train = {request[0], request[1], "CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
                   "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + host.before};
  CHECK(host.Job("ann", "revctl-gate", train).status == 0);
  CHECK(host.Job("ann", "revctl-gate",
                 {"CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main",
                  "CI_COMMIT_BEFORE_SHA=" + host.before})
            .status == 0);

  const Strings saves = {"REVCTL_HARNESS=" REVCTL_PONG_HARNESS, "REVCTL_BUILD=true",
                         "REVCTL_FUZZ=0", "REVCTL_SHARDS=2", "CI_NODE_TOTAL=2"};
  fs::create_directories(host.sandbox.Path("job"));
  CHECK(host.Job("job", "revctl-saves", saves).status == 0);
  CHECK(host.sandbox.Exists("job/junit-saves.xml"));
  for (const char* index : {"1", "2"}) {
    Strings node = saves;
    node.push_back(std::string("CI_NODE_INDEX=") + index);
    const auto swept = host.Job("job", "revctl-sweep", node);
    INFO(swept.out << swept.err);
    CHECK(swept.status == 0);
  }
  const auto joined = host.Job("job", "revctl-report", saves);
  INFO(joined.out << joined.err);
  CHECK(joined.status == 0);
  CHECK(host.sandbox.Exists("job/page/index.html"));
  CHECK(host.sandbox.Exists("job/out/junit-2.xml"));
  const YAML::Node file = KitFile("ci/gitlab/revctl.yml");
  CHECK(file["variables"]["REVCTL_SHARDS"].as<int>() == file["revctl-sweep"]["parallel"].as<int>());
}

TEST_CASE("ci/github/nightly.yml: joins one report for each shard", "[kit]") {
  const YAML::Node jobs = KitFile("ci/github/nightly.yml")["jobs"];
  const YAML::Node shards = jobs["sweep"]["strategy"]["matrix"]["shard"];
  const auto script = [](const YAML::Node& job, const std::string& word) {
    for (const auto& step : job["steps"]) {
      const std::string run = step["run"] ? step["run"].as<std::string>() : "";
      const std::size_t at = run.find("build/release/save_harness " + word);
      if (at != std::string::npos)
        return "'" REVCTL_PONG_HARNESS "'" +
               run.substr(at + std::string("build/release/save_harness").size());
    }
    throw std::runtime_error("no step runs " + word);
  };
  Sandbox sandbox;
  std::string sweep = script(jobs["sweep"], "sweep");
  sweep.replace(sweep.find("--fuzz 600"), 10, "--fuzz 0");
  for (const auto& shard : shards) {
    const auto swept =
        sandbox.Run(".", {"bash", "-ec", sweep}, {"SHARD=" + shard.as<std::string>()});
    INFO(swept.out << swept.err);
    CHECK(swept.status == 0);
  }
  const auto joined = sandbox.Run(".", {"bash", "-ec", script(jobs["report"], "merge-reports")});
  INFO(joined.out << joined.err);
  CHECK(joined.status == 0);
  CHECK(sandbox.Exists("page/index.html"));
}

TEST_CASE("ci/kit/land: the bot lands a branch from a detached clone", "[kit]") {
  Host host;
  host.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:boss"});
  host.sandbox.Git(".", {"clone", "-q", "--branch=boss", host.Url(), "bot"});
  host.sandbox.Git("bot", {"checkout", "-q", "--detach"});
  const std::string land = REVCTL_SOURCES "/ci/kit/land";
  CHECK(host.sandbox.Run("bot", {land}).status == 2);
  const auto landed = host.sandbox.Run("bot", {land}, {"CI=true", "REVCTL_BRANCH=boss"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  CHECK(landed.out.find("landed SR_BOSS = 5 on origin/main") != std::string::npos);
  CHECK(host.sandbox.Git("bot", {"log", "-1", "--format=%an", "origin/main"}) == "revctl");
}

TEST_CASE("the fold job: GitHub's and GitLab's, two at once, shallow", "[kit][fold]") {
  const Team team;
  const Sandbox& sandbox = team.sandbox;
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--offline"}).status == 0);
  team.Land("ann");
  team.GuardServer();
  const auto pending = [&](const std::string& name) {
    sandbox.Git("ann", {"pull", "-q", "--rebase", "origin", "main"});
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
    team.Land("ann");
  };
  const auto on_main = [&] {
    sandbox.Git("ann", {"fetch", "-q"});
    return sandbox.Git("ann", {"show", std::string("origin/main:") + Team::kList});
  };
  const auto job = [&](const std::string& folder) {
    sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), folder});
    sandbox.Git(folder, {"checkout", "-q", "--detach"});
  };
  pending("SR_BOSS");
  pending("SR_ANT");
  job("one");
  job("two");
  const std::string fold = REVCTL_SOURCES "/ci/kit/fold";
  std::vector<int> status(2, -1);
  std::thread other([&] {
    status[1] = sandbox.Run("two", {fold}, {"CI=true", "GITHUB_ACTIONS=true"}).status;
  });
  const auto first = sandbox.Run("one", {fold}, {"CI=true", "GITHUB_ACTIONS=true"});
  other.join();
  INFO(first.out << first.err);
  CHECK(first.status == 0);
  CHECK(status[1] == 0);
  std::string list = on_main();
  CHECK(list.find("SR_ANT=3") != std::string::npos);
  CHECK(list.find("SR_BOSS=4") != std::string::npos);
  CHECK(sandbox.Git("ann", {"log", "--format=%an %s", "-1", "origin/main"}) ==
        "revctl Numbers for what has landed");
  CHECK(sandbox.Git("ann", {"rev-list", "--count", "--author=revctl", "origin/main"}) == "1");

  // GitLab's job uses a URL with a token for the remote. Map it to the local server.
  pending("SR_CAT");
  job("three");
  std::string script = "set -e\n";
  for (const auto& line : KitFile("ci/gitlab/revctl.yml")["revctl-fold"]["script"])
    script += line.as<std::string>() + "\n";
  const fs::path program(ProgramPath());
  const auto ran = sandbox.Run(
      "three", {"bash", "-c", script},
      {"CI=true", "GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main",
       "CI_DEFAULT_BRANCH=main", "CI_SERVER_PROTOCOL=https", "CI_SERVER_HOST=git.studio.example",
       "CI_SERVER_PORT=443", "CI_PROJECT_PATH=games/game", "REVCTL_PUSH_TOKEN=secret",
       "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + team.Url() + ".insteadOf",
       "GIT_CONFIG_VALUE_0=https://revctl:secret@git.studio.example:443/games/game.git",
       "PATH=" + program.parent_path().string() + ":/usr/bin:/bin"});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(on_main().find("SR_CAT=5") != std::string::npos);
}
