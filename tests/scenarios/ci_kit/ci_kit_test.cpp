// Tests the kit for CI systems (action.yml, ci/kit, ci/github, ci/gitlab, .pre-commit-hooks.yaml)
// and its documentation page. Extracts the scripts from the files and runs them in real
// repositories, with the host's environment and event files.
#include <yaml-cpp/yaml.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "revctl/base/system/process.h"
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

/// Checks that steps that use the action pass only inputs that the action declares.
void CheckInputs(const YAML::Node& steps) {
  const std::set<std::string> inputs = Keys(KitFile("action.yml")["inputs"]);
  for (const auto& step : steps) {
    if (!step["uses"] || step["uses"].as<std::string>() != "./.github/actions/revctl") continue;
    for (const std::string& given : Keys(step["with"])) {
      INFO(given);
      CHECK(inputs.contains(given));
    }
  }
}

/// A CI host for a team in which Ann's revision number is late.
struct Host : LateTeam {
  std::string event;
  Host() {
    for (const char* folder : {"runner", "fork"}) fs::create_directories(sandbox.Path(folder));
    event = "GITHUB_EVENT_PATH=" + sandbox.Path("event.json");
  }

  /// Runs the steps of action.yml as GitHub's runner does, but ignores `if` and uploads nothing.
  /// Returns the result of the last step that ran.
  revctl::base::ProcessResult Action(const std::string& directory, Strings environment,
                                     const std::map<std::string, std::string>& given = {}) const {
    const YAML::Node action = KitFile("action.yml");
    for (const char* file : {"output", "summary", "path", "env"}) sandbox.Write(file, "");
    for (const auto& [name, file] :
         {std::pair("GITHUB_OUTPUT", "output"), std::pair("GITHUB_STEP_SUMMARY", "summary"),
          std::pair("GITHUB_PATH", "path"), std::pair("GITHUB_ENV", "env")})
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
        value = told != given.end() ? told->second
                : input == "release"
                    ? ""  // use this tree's program, unless a test names an archive
                    : action["inputs"][input]["default"].as<std::string>();
        own.push_back(variable.first.as<std::string>() + "=" + value);
      }
      last = sandbox.Run(directory, {"bash", "-eo", "pipefail", "-c", run}, own);
      if (last.status != 0) break;
      std::istringstream set(sandbox.Read("env"));
      for (std::string line; std::getline(set, line);) environment.push_back(line);
      if (!given.contains("release"))  // use this tree's scripts, because none are installed
        environment.push_back("REVCTL_KIT=" REVCTL_SOURCES "/ci/kit");
    }
    return last;
  }

  /// Runs the script of a job in ci/gitlab/revctl.yml with the variables from that file.
  revctl::base::ProcessResult Job(const std::string& directory, const std::string& job,
                                  Strings environment) const {
    const YAML::Node file = KitFile("ci/gitlab/revctl.yml");
    Strings own = {"CI=true", "GITLAB_CI=true", "REVCTL_KIT=" REVCTL_SOURCES "/ci/kit"};
    for (const auto& variable : file["variables"])
      own.push_back(variable.first.as<std::string>() + "=" + variable.second.as<std::string>());
    own.insert(own.end(), environment.begin(), environment.end());
    std::string script = "set -e\n";
    for (const auto& line : file[job]["script"]) script += line.as<std::string>() + "\n";
    return sandbox.Run(directory, {"bash", "-c", script}, own);
  }
};

}  // namespace

TEST_CASE("ci_kit: docs/ci.md matches the files of the kit", "[kit][docs]") {
  const auto blocks = BlocksOfPage();
  REQUIRE(blocks.size() == 3);
  CheckInputs(blocks[0]["steps"]);
  CHECK(blocks[1]["include"][0]["local"].as<std::string>() == "ci/revctl.yml");
  std::set<std::string> hooks, shown;
  for (const auto& hook : KitFile(".pre-commit-hooks.yaml"))
    hooks.insert(hook["id"].as<std::string>());
  for (const auto& hook : blocks[2]["repos"][0]["hooks"])
    shown.insert(hook["id"].as<std::string>());
  CHECK(hooks == shown);
}

TEST_CASE("ci/github: the workflows' events and permissions match the page", "[kit]") {
  const YAML::Node gate = KitFile("ci/github/gate.yml");
  CHECK(Keys(gate["on"]) == std::set<std::string>{"merge_group", "pull_request", "push"});
  CHECK(gate["permissions"].size() == 2);
  CHECK(gate["permissions"]["contents"].as<std::string>() == "read");
  CHECK(gate["permissions"]["pull-requests"].as<std::string>() == "write");
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
        // Scripts must not interpolate names chosen by users or taken from branches.
        if (step["run"]) CHECK(step["run"].as<std::string>().find("${{") == std::string::npos);
      }
    }
  }
}

TEST_CASE("action.yml: pull requests, merge groups, pushes and forks on GitHub", "[kit]") {
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
  CHECK(summary.starts_with(
      "### `revctl`: failed\n\nFAILED: 2 errors, 1 warning (compared with origin/main at "));
  CHECK(summary.find("**error RV006** in `src/master_version_list.h:") != std::string::npos);
  CHECK(summary.find("| `SR_BOSS` | ") != std::string::npos);

  const auto fine = [&](const std::string& directory, const Strings& environment) {
    auto ran = host.Action(directory, environment);
    INFO(ran.out << ran.err);
    CHECK(ran.status == 0);
    CHECK(host.sandbox.Read("summary").starts_with("### `revctl`: passed\n"));
    return ran.out;
  };
  CHECK(fine("ann", {"GITHUB_EVENT_NAME=merge_group", host.event})
            .find("the commit that the merge group is built on: merge_group.base_sha") !=
        std::string::npos);
  CHECK(fine("ann", {"GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=main", host.event})
            .find("the tip of the branch before the push: `before`") != std::string::npos);
  CHECK(host.Action("ann", {"GITHUB_EVENT_NAME=push", "GITHUB_REF_NAME=feature", host.event})
            .status == 1);
  // For a pull request from a fork, GitHub checks out a shallow clone of its merge with the target.
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
  // If the check cannot run, the summary must say so and list no findings.
  host.sandbox.Write("event.json", "{}");
  const auto unsaid = host.Action("ann", {"GITHUB_EVENT_NAME=merge_group", host.event});
  CHECK(unsaid.status == 3);
  CHECK(host.sandbox.Read("summary") == "### `revctl`: not checked (exit 3)\n");
  CHECK(host.sandbox.Read("output").empty());
}

TEST_CASE("action.yml: builds and runs a harness", "[kit]") {
  Host host;
  const auto checked = host.Action("ann", {"GITHUB_EVENT_NAME=pull_request"},
                                   {{"gate", "saves"},
                                    {"harness", "./built"},
                                    {"build", "ln -s '" REVCTL_PONG_HARNESS "' built; ls built"}});
  INFO(checked.out << checked.err);
  CHECK(checked.status == 0);
  CHECK(host.sandbox.Read("summary").starts_with("### `built`: passed\n"));
  CHECK(host.sandbox.Read("output") == "sarif=" + host.sandbox.Path("runner/built.sarif") + "\n");
  const auto unknown = host.Action("ann", {}, {{"gate", "save"}});
  CHECK(unknown.status == 2);
  CHECK(unknown.out.find("may be revisions, saves or none") != std::string::npos);
}

TEST_CASE("action.yml: posts one comment on a pull request, then replaces it", "[kit]") {
  Host host;
  // This script stands in for the host's API: it answers with `comments`, and stores the data that
  // it receives.
  fs::create_directories(host.sandbox.Path("bin"));
  host.sandbox.Write("comments", "[]");
  host.sandbox.Write("bin/curl", "#!/bin/bash\nfolder='" + host.sandbox.Path("") + R"('
echo "$*" >>"$folder/calls"
for word; do case $word in @/tmp/*) cp "${word#@}" "$folder/sent" ;; esac; done
case $* in *per_page*) cat "$folder/comments" ;; esac
)");
  fs::permissions(host.sandbox.Path("bin/curl"), fs::perms::owner_all);
  const fs::path program(ProgramPath());
  const auto gate = [&](const std::string& ref, const std::string& token) {
    host.sandbox.Write("calls", "");
    host.Action("ann",
                {"GITHUB_EVENT_NAME=pull_request", "GITHUB_BASE_REF=main", "GITHUB_REF=" + ref,
                 "GITHUB_REPOSITORY=games/game", "GITHUB_API_URL=https://api.studio.example",
                 "PATH=" + host.sandbox.Path("bin") + ":" + program.parent_path().string() +
                     ":/usr/bin:/bin"},
                {{"comment-token", token}});
    return host.sandbox.Read("calls");
  };
  const std::string comments = "https://api.studio.example/repos/games/game/issues/7/comments";
  const std::string posted = gate("refs/pull/7/merge", "a-token");
  CHECK(posted.find("--request POST") != std::string::npos);
  CHECK(posted.find(comments + "\n") != std::string::npos);
  CHECK(posted.find("a-token") == std::string::npos);  // tokens must stay off command lines
  const auto sent = nlohmann::json::parse(host.sandbox.Read("sent"));
  const std::string body = sent.at("body");
  CHECK(body.starts_with("[//]: # (revctl comment of revctl)\n\n### `revctl`: failed\n"));
  CHECK(body.find("**error RV006**") != std::string::npos);
  CHECK(body.ends_with(host.sandbox.Read("summary")));

  const auto comment = [](int id, const std::string& text) {
    return nlohmann::ordered_json{
        {"url",
         "https://api.studio.example/repos/games/game/issues/comments/" + std::to_string(id)},
        {"user", {{"url", "https://api.studio.example/users/ann"}}},
        {"body", text}};
  };
  host.sandbox.Write(
      "comments",
      nlohmann::ordered_json{comment(5, "Quoted: [//]: # (revctl comment of revctl)"),
                             comment(6, "[//]: # (revctl comment of save_harness)\n\nx"),
                             comment(71, body), comment(72, body)}
          .dump());
  const std::string replaced = gate("refs/pull/7/merge", "a-token");
  CHECK(replaced.find("--request PATCH") != std::string::npos);
  CHECK(replaced.find("issues/comments/71\n") != std::string::npos);
  CHECK(replaced.find("POST") == std::string::npos);
  CHECK(gate("refs/heads/main", "a-token").empty());
  CHECK(gate("refs/pull/7/merge", "").empty());
}

TEST_CASE("action.yml: installs revctl from a release archive", "[kit]") {
  Host host;
  const fs::path made = host.sandbox.Path("made/revctl-0.1.0");
  fs::create_directories(made / "bin");
  host.sandbox.Write("made/revctl-0.1.0/bin/revctl", "#!/bin/sh\necho revctl of the archive\n");
  fs::permissions(made / "bin/revctl", fs::perms::owner_all);
  REQUIRE(host.sandbox.Run("made", {"tar", "czf", "revctl.tar.gz", "revctl-0.1.0"}).status == 0);
  const std::string sum =
      host.sandbox.Run("made", {"sha256sum", "revctl.tar.gz"}).out.substr(0, 64);
  std::string archive = "file://" + host.sandbox.Path("made/revctl.tar.gz");
  while (archive.find(' ') != std::string::npos) archive.replace(archive.find(' '), 1, "%20");
  const auto installed = [&](const std::string& release, const std::string& checksum) {
    return host.Action("ann", {},
                       {{"gate", "none"},
                        {"release", release},
                        {"sha256", checksum},
                        {"build", "echo builds with $CMAKE_PREFIX_PATH"}});
  };
  const auto fetched = installed(archive, sum);
  INFO(fetched.out << fetched.err);
  CHECK(fetched.status == 0);
  const std::string sdk = host.sandbox.Path("runner/revctl");
  CHECK(host.sandbox.Read("path") == sdk + "/bin\n");
  // Later build steps must be able to find the installed package.
  const std::string set = host.sandbox.Read("env");
  CHECK(set.find("CMAKE_PREFIX_PATH=" + sdk + "\n") != std::string::npos);
  CHECK(set.find("REVCTL_KIT=" + sdk + "/share/revctl/kit\n") != std::string::npos);
  const auto wrong = installed(archive, std::string(64, '0'));
  CHECK(wrong.status == 3);
  CHECK(wrong.out.find("has the SHA-256 " + sum) != std::string::npos);
  CHECK(installed("file:///nowhere.tar.gz", sum).status == 3);
}

TEST_CASE("ci/gitlab: merge requests, merge trains, pushes, shards and reports", "[kit]") {
  Host host;
  const Strings request = {"CI_PIPELINE_SOURCE=merge_request_event",
                           "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
                           "CI_MERGE_REQUEST_EVENT_TYPE=merged_result"};
  const auto late = host.Job("ann", "revctl-gate", request);
  INFO(late.out << late.err);
  CHECK(late.status == 1);
  CHECK(late.out.find("event merged_result") != std::string::npos);
  CHECK(late.out.find("error[RV006]") != std::string::npos);  // findings must be in the log as text
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
                         "REVCTL_FUZZ=0", "CI_NODE_TOTAL=2"};
  fs::create_directories(host.sandbox.Path("job"));
  CHECK(host.Job("job", "revctl-saves", saves).status == 0);
  CHECK(host.sandbox.Exists("job/junit-pong_harness.xml"));
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
  CHECK(host.sandbox.Exists("job/out/2/junit.xml"));
}

TEST_CASE("ci/github/nightly.yml: combines the reports of all shards", "[kit]") {
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
  const std::string sweep = script(jobs["sweep"], "sweep");
  for (const auto& shard : shards) {
    const auto swept = sandbox.Run(".", {"bash", "-ec", sweep},
                                   {"SHARD=" + shard.as<std::string>(), "REVCTL_FUZZ=0",
                                    "SHARDS=" + std::to_string(shards.size())});
    INFO(swept.out << swept.err);
    CHECK(swept.status == 0);
  }
  const auto joined = sandbox.Run(".", {"bash", "-ec", script(jobs["report"], "merge-reports")});
  INFO(joined.out << joined.err);
  CHECK(joined.status == 0);
  CHECK(sandbox.Exists("page/index.html"));
}

TEST_CASE("ci/kit/land: the bot lands a branch from a clone with a detached HEAD", "[kit]") {
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

TEST_CASE("fold job: GitHub's and GitLab's, concurrently and in shallow clones", "[kit][fold]") {
  const Team team;
  const Sandbox& sandbox = team.sandbox;
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes", "--offline"}).status ==
          0);
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
        "revctl Assign numbers to landed revisions");
  CHECK(sandbox.Git("ann", {"rev-list", "--count", "--author=revctl", "origin/main"}) == "1");

  // GitLab's job uses a URL with a token as the remote. Map it to the local server.
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
       "REVCTL_KIT=" REVCTL_SOURCES "/ci/kit",
       "PATH=" + program.parent_path().string() + ":/usr/bin:/bin"});
  INFO(ran.out << ran.err);
  CHECK(ran.status == 0);
  CHECK(on_main().find("SR_CAT=5") != std::string::npos);
}
