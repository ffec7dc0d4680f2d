// What a person at the terminal meets first: revctl alone, help, near misses, -v, files of
// findings, what CI would judge.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {}  // namespace

TEST_CASE("revctl alone says where a repository stands and what is next", "[manners]") {
  Team team;
  const auto says = [&](const std::string& person) {
    const auto said = team.Revctl(person, {});
    CHECK(said.status == 0);
    return said.out;
  };
  const std::string head = "src/master_version_list.h: 2 revisions, latest SR_FOULS = 2\n",
                    last = "all commands: revctl help\n", next = "next: ";
  CHECK(says("ann") == head +
                           "  nothing pending: as origin/main has it\n"
                           "the merge driver and hooks are not all installed in this clone\n"
                           "next: revctl install, then revctl reserve SR_NAME -m TEXT, for a "
                           "change of what is saved\n" +
                           last);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(
      Has(says("ann"), "  SR_BOSS = 3: can land\nnext: revctl check --fetch, then revctl land\n"));
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  team.sandbox.Git("ann", {"fetch", "-q"});
  CHECK(Has(says("ann"), "  SR_BOSS = 3: its number is too low to land\nnext: revctl renumber\n"));
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum R {\n  SR_INITIAL=1,\n<<<<<<< ours\n  SR_A=3,\n=======\n  SR_B=3,\n"
                     ">>>>>>> theirs\n};\n");
  CHECK(Has(says("ann"), "next: revctl resolve"));
  // Outside of a repository the commands are shown; without a list the command that makes one.
  const auto nowhere = team.sandbox.Revctl(".", {});
  CHECK(nowhere.status == 0);
  CHECK(nowhere.out == team.sandbox.Revctl(".", {"--help"}).out);
  team.sandbox.NewRepository("new", "ann");
  CHECK(Has(team.sandbox.Revctl("new", {}).err, "fix: revctl init\n"));
  CHECK(team.sandbox.Revctl(".", {"-C", "none"}).status != 0);
}

TEST_CASE("help and version; near misses of commands, options and names", "[manners]") {
  Team team;
  const auto err = [&](const std::vector<std::string>& line, int status) {
    const auto said = team.Revctl("ann", line);
    INFO(said.out << said.err);
    CHECK(said.status == status);
    return said.err;
  };
  const auto out = [&](const std::vector<std::string>& line) {
    const auto said = team.Revctl("ann", line);
    CHECK(said.status == 0);
    return said.out;
  };
  CHECK(out({"help"}) == out({"--help"}));
  CHECK(out({"help", "reserve"}) == out({"reserve", "--help"}));
  CHECK(out({"version"}) == out({"--version"}));
  CHECK(out({"version"}).starts_with("revctl "));
  CHECK(Has(err({"resreve"}, 2), "there is no command 'resreve'; did you mean reserve?"));
  CHECK(Has(err({"-q", "lsit"}, 2), "did you mean list?"));
  CHECK(Has(err({"help", "chek"}, 2), "did you mean check?"));
  CHECK(Has(err({"frobnicate"}, 2), "there is no command 'frobnicate'\n"));
  CHECK(Has(err({"check", "--fetsh"}, 2),
            "revctl check has no option '--fetsh'; did you mean --fetch?\nfix: revctl check "
            "--help"));
  CHECK(Has(err({"check", "--traget=x"}, 2), "did you mean --target?"));
  CHECK(Has(err({"explain", "RV0O6"}, 2), "there is no rule 'RV0O6'; did you mean RV006?"));
  CHECK(out({"explain", "gh001"}).starts_with("GH001: "));
  CHECK(Has(err({"whois", "SR_FOUL"}, 1), "did you mean SR_FOULS?"));
  CHECK(Has(err({"renumber", "SR_FUOLS"}, 2), "did you mean SR_FOULS?"));
  CHECK(Has(err({"abandon", "SR_FUOLS"}, 0), "did you mean SR_FOULS?"));
}

TEST_CASE("an unwritable result is an error and leaves no file", "[manners]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  const auto run = [&](const std::string& command, const std::string& outputs) {
    return team.sandbox.Run("ann",
                            {"sh", "-c", "exec '" + ProgramPath() + "' " + command + outputs});
  };
  const std::string before = team.sandbox.Snapshot("ann");
  for (const char* command :
       {"", "help", "version", "help check", "list", "list --json", "next", "status",
        "check --json", "check --explain-ci", "whois SR_FOULS", "stale --json", "codegen",
        "explain", "explain RV001", "completions bash", "completions schema"}) {
    INFO(command);
    REQUIRE(run(command, "").status == 0);
    for (const char* outputs : {" >/dev/full", " >&-", " <&- >&-"}) {
      const auto lost = run(command, outputs);
      CHECK(lost.status == 3);
      CHECK(lost.err.find("revctl: stdout cannot be written") != std::string::npos);
    }
    CHECK(run(command, " <&- >&- 2>&-").status == 3);
    CHECK(run(command, " 2>&-").out == run(command, "").out);
  }
  CHECK(team.sandbox.Snapshot("ann") == before);
  // The number is taken all the same, and only once.
  CHECK(run("reserve SR_X", " >&- 2>&-").status == 3);
  CHECK(run("reserve SR_X", "").out == "SR_X = 3\n");
  CHECK(team.Revctl("bob", {"next"}).out == "4\n");
}

TEST_CASE("completions schema: all the parser's keys, with values", "[manners]") {
  Sandbox sandbox;
  const auto schema = nlohmann::json::parse(sandbox.Revctl(".", {"completions", "schema"}).out);
  CHECK(schema["$schema"] == "http://json-schema.org/draft-07/schema#");
  const auto& root = schema["allOf"][0];
  CHECK(root["additionalProperties"] == false);
  CHECK(root["required"] == nlohmann::json({"version", "lists"}));
  CHECK(root["properties"]["reservation"]["enum"] == nlohmann::json({"required", "optional"}));
  CHECK(root["properties"]["lists"]["items"]["required"] == nlohmann::json({"path"}));
  CHECK(root["properties"]["land"]["allOf"][0]["properties"]["by"]["enum"] ==
        nlohmann::json({"merge", "rebase"}));
  CHECK(root["properties"]["releases"]["type"] == "array");
}

TEST_CASE("-v prints each git command as a shell takes it", "[manners]") {
  Team team;
  const auto said = team.Revctl("ann", {"-v", "reserve", "SR_X", "-m", "it's"});
  INFO(said.err);
  CHECK(said.out == "SR_X = 3\n");
  CHECK(Has(said.err, "+ git "));
  CHECK(Has(said.err, " push --porcelain --no-verify "));
  CHECK_FALSE(Has(team.Revctl("ann", {"reserve", "SR_Y"}).err, "+ git"));
}

TEST_CASE("check --output: files beside text, in several formats", "[manners]") {
  Team team;
  std::string list = team.List("ann");
  list.insert(list.rfind("};"), "    SR_BOSS=2,\n");
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  const auto plain = team.Revctl("ann", {"check"});
  REQUIRE(plain.status == 1);
  const auto both = team.Revctl(
      "ann", {"check", "--format", "sarif", "--output", "a.sarif", "--output", "junit=b.xml"});
  CHECK(both.status == 1);
  CHECK(both.out == plain.out);
  CHECK(team.sandbox.Read("ann/a.sarif") == team.Revctl("ann", {"check", "--format", "sarif"}).out);
  CHECK(team.sandbox.Read("ann/b.xml") == team.Revctl("ann", {"check", "--format", "junit"}).out);
  const auto rules =
      nlohmann::json::parse(team.sandbox.Read("ann/a.sarif"))["runs"][0]["tool"]["driver"]["rules"];
  CHECK(rules[0]["id"] == "RV001");
  CHECK(rules[0]["shortDescription"]["text"] == "a number is given twice");
  CHECK(Has(rules[0]["help"]["text"], "To mend it: revctl renumber"));
  const auto github = team.Revctl("ann", {"check", "--format", "github", "--output", "text=c.txt"});
  CHECK(github.out.starts_with("::error "));
  CHECK(team.sandbox.Read("ann/c.txt") == plain.out);
  CHECK(team.Revctl("ann", {"check", "--output", "json=x", "--output", "x"}).status == 2);
  CHECK(team.Revctl("ann", {"check", "--output", "no/folder/x"}).status == 3);
}

TEST_CASE("check --explain-ci: says what is compared, judges nothing", "[manners]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  team.Land("bob");
  const std::string before = team.sandbox.Git("ann", {"rev-parse", "HEAD~1"}),
                    head = team.sandbox.Git("ann", {"rev-parse", "HEAD"}),
                    tip = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  const auto told = [&](std::vector<std::string> environment,
                        const std::vector<std::string>& options = {}) {
    std::vector<std::string> line = {"check", "--explain-ci", "--json"};
    line.insert(line.end(), options.begin(), options.end());
    environment.emplace_back("CI=true");
    const auto said = team.Revctl("ann", line, environment);
    INFO(said.out << said.err);
    CHECK(said.status == 0);  // although the change is late
    const auto json = nlohmann::json::parse(said.out);
    CHECK(json["judged"]["commit"] == head);
    CHECK(json["base"]["commit"] == before);
    CHECK(json["ledger"]["fetched"] == true);
    return json["ci"]["system"].get<std::string>() + "/" + json["ci"]["event"].get<std::string>() +
           " " + json["target"]["branch"].get<std::string>() + " " +
           (json["target"]["commit"] == tip      ? "tip"
            : json["target"]["commit"] == before ? "before"
                                                 : "?") +
           ": " + json["target"]["why"].get<std::string>();
  };
  CHECK(told({}) == "/ main tip: `target` of .revctl.yaml");
  CHECK(told({"GITLAB_CI=true", "CI_PIPELINE_SOURCE=merge_request_event",
              "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main"}) ==
        "GitLab/merge_request_event main tip: the change is aimed at it: "
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME");
  CHECK(told({"GITLAB_CI=true", "CI_MERGE_REQUEST_EVENT_TYPE=merge_train",
              "CI_MERGE_REQUEST_TARGET_BRANCH_NAME=main",
              "CI_MERGE_REQUEST_TARGET_BRANCH_SHA=" + before}) ==
        "GitLab/merge_train main before: the commit that the merge train is built on: "
        "CI_MERGE_REQUEST_TARGET_BRANCH_SHA");
  CHECK(told({"GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=feature",
              "CI_COMMIT_BEFORE_SHA=" + before}) ==
        "GitLab/push main tip: a push to feature lands nowhere yet: `target` of .revctl.yaml");
  CHECK(told({"JENKINS_URL=x", "BRANCH_NAME=main", "GIT_PREVIOUS_COMMIT=" + before}) ==
        "Jenkins/branch main before: the commit that was built before: GIT_PREVIOUS_COMMIT");
  CHECK(told({"GERRIT_BRANCH=main"}, {"--target", "HEAD~1"}) ==
        "Gerrit/change main before: --target names it");
  const auto text =
      team.Revctl("ann", {"check", "--explain-ci"}, {"CI=true", "GERRIT_BRANCH=main"});
  CHECK(text.out == "ci       Gerrit, event change\njudged   the work tree at " +
                        head.substr(0, 10) + "\ntarget   origin/main at " + tip.substr(0, 10) +
                        " (main): the change is aimed at it: GERRIT_BRANCH\nbase     " +
                        before.substr(0, 10) +
                        ": where the change left the target\nrules    a landing on main\n"
                        "policy   .revctl.yaml of the target\n"
                        "ledger   refs/revctl/ledger of origin, fetched now\n");
  const auto unsaid =
      team.Revctl("ann", {"check", "--explain-ci"},
                  {"GITLAB_CI=true", "CI_PIPELINE_SOURCE=push", "CI_COMMIT_BRANCH=main"});
  CHECK(unsaid.status == 3);
  CHECK(Has(unsaid.err, "no commit is in CI_COMMIT_BEFORE_SHA"));
  CHECK(team.Revctl("ann", {"check", "--explain-ci", "--pushed"}).status == 2);
}
