// Tests the commands that `land` runs, when it runs them, and how they are configured.
#include <catch2/catch.hpp>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

TEST_CASE("land: prints a note if no command runs the save tests", "[land]") {
  const std::string note = "note: revctl land does not run the save tests";
  const Landers team("by: rebase");
  const auto land = [&](const std::string& person, const std::string& revision,
                        const std::string& settings) {
    std::string config = Team::kConfig;
    config.insert(config.find("path: "), "golden: golden, ");
    team.sandbox.Write(person + "/.revctl.yaml", config + settings);
    team.sandbox.Git(person, {"commit", "-q", "-a", "-m", "settings"});
    team.sandbox.Git(person, {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    team.Branch(person, revision, {revision});
    const auto landed = team.Revctl(person, {"land"});
    INFO(landed.err);
    CHECK(landed.status == 0);
    team.sandbox.Git(person, {"switch", "-q", "main"});
    team.sandbox.Git(person, {"pull", "-q"});
    return landed.err;
  };
  CHECK(Has(land("ann", "SR_BOSS", ""), note));
  CHECK_FALSE(Has(land("ann", "SR_ANT", "land: {verify: \"true\"}\n"), note));
}

TEST_CASE("land: runs the target's commands, and stops if one fails", "[land]") {
  Landers team("by: rebase, verify: \"env >> ../environment; sh ../verdict\"");
  team.sandbox.Write("verdict", "exit 3\n");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "land: {verify: \"touch ../branch-ran\"}\n");
  team.sandbox.CommitAll("ann", "another verify");
  const std::string before = team.Main(), head = team.HeadOf("ann");
  // GIT_PREFIX is set as in a git alias or hook.
  auto failed = team.Revctl("ann", {"land"}, {"GIT_PREFIX=src/"});
  INFO(failed.err);
  CHECK(failed.status == 1);
  CHECK(Has(failed.err,
            "the `verify` command of origin/main failed (exit 3); nothing was pushed\nfix: fix the "
            "cause and "
            "commit, then run revctl land; revctl land --abort resets boss to " +
                head.substr(0, 10)));
  CHECK(team.Main() == before);
  CHECK_FALSE(Has(team.sandbox.Read("environment"), "\nGIT_PREFIX="));
  CHECK_FALSE(Has(team.sandbox.Read("environment"), "\nGIT_LITERAL_PATHSPECS="));
  CHECK(Has(team.sandbox.Read("environment"), "GIT_CONFIG_GLOBAL="));
  // If `verify` changes files, its result does not apply to the committed files.
  team.sandbox.Write("verdict", "echo more >> src/SR_BOSS.cpp\n");
  auto changed = team.Revctl("ann", {"land"});
  CHECK(changed.status == 1);
  CHECK(Has(changed.err, "the `verify` command changed files: src/SR_BOSS.cpp"));
  CHECK(team.Main() == before);
  team.sandbox.Git("ann", {"checkout", "-q", "--", "."});
  // If `verify` switches branches, its result does not apply to this branch.
  team.sandbox.Write("verdict", "git switch -q --detach\n");
  auto switched = team.Revctl("ann", {"land"});
  CHECK(switched.status == 1);
  CHECK(Has(
      switched.err,
      "the `verify` command made a commit or switched to another branch\nfix: git switch boss"));
  CHECK(team.Main() == before);
  team.sandbox.Git("ann", {"switch", "-q", "boss"});
  // If the gate rejects the change, `land` prints the findings as `check` does.
  team.sandbox.Write("verdict", "exit 0\n");
  std::string text = team.List("ann");
  text.replace(text.find("SR_FOULS=2"), 10, "SR_FOULX=2");
  team.sandbox.Write("ann/" + std::string(Team::kList), text);
  team.sandbox.CommitAll("ann", "landed one renamed");
  auto refused = team.Revctl("ann", {"land", "--json"});
  INFO(refused.out << refused.err);
  CHECK(refused.status == 1);
  CHECK(Has(refused.out, "\"RV005\""));
  CHECK_FALSE(Has(refused.err, "SR_FOULX"));  // the stopped landing reserved no number
  CHECK(team.Main() == before);
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~"});
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.err, "RV024"));  // a warning, which does not stop the landing
  CHECK_FALSE(team.sandbox.Exists("branch-ran"));
}

TEST_CASE("land: records goldens again only if RV028 requires it", "[land]") {
  Landers team("goldens: sh ../record");
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n"
                     "land: {by: merge, goldens: sh ../record}\n");
  const auto record = [&](const std::string& who, const std::string& name,
                          const std::string& previous, const std::string& type) {
    team.sandbox.Write(who + "/golden/" + name + ".yaml",
                       "version: 1\nrevision: " + name +
                           "\nnumber: 1\nlineage: \"0123456789abcdef\"\n" +
                           (previous.empty() ? "" : "previous: " + previous + "\n") +
                           "recorded: {by: record, code: " + name +
                           ", compiler: g++, revctl: 0.1.0, seed: 1}\ntypes: [{type: " + type +
                           ", compared: [], fields: []}]\nenums: []\ncases: []\nupgrades: []\n");
  };
  record("ann", "SR_FOULS", "", "Hero");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  // The script stands in for `record --refresh-pending`. `land` must reject any changes that this
  // command makes outside the golden folder.
  team.sandbox.Write("record",
                     "echo run >> ../runs\n"
                     "sed -i 's/^previous: .*/previous: SR_STAMINA/' golden/SR_BOSS.yaml\n"
                     "if [ -e ../stray ]; then rm ../stray; echo >> src/SR_BOSS.cpp; fi\n");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  record("ann", "SR_BOSS", "SR_FOULS", "Hero");
  team.sandbox.CommitAll("ann", "recorded");
  record("bob", "SR_STAMINA", "SR_FOULS", "Hero");
  team.sandbox.CommitAll("bob", "recorded");
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  CHECK_FALSE(team.sandbox.Exists("runs"));  // not needed, because nothing had landed in between
  CHECK(Has(team.Revctl("ann", {"land", "--dry-run"}).out, "would merge"));
  team.sandbox.Write("stray", "");
  const auto stray = team.Revctl("ann", {"land"});
  CHECK(stray.status == 1);
  CHECK(Has(stray.err, "changed files outside the golden folder: src/SR_BOSS.cpp"));
  team.sandbox.Git("ann", {"checkout", "-q", "--", "."});
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  CHECK(team.sandbox.Read("runs") == "run\nrun\n");
  CHECK(Has(team.Subjects("main~1..main"), "Record goldens again for landing"));
  CHECK(Has(team.sandbox.Git("srv/game.git", {"show", "main:golden/SR_BOSS.yaml"}),
            "previous: SR_STAMINA"));
  // If no type is shared, the goldens are not stale, so the command does not run, even though a
  // number changes.
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "song", team.HeadOf("bob")});
  team.Branch("bob", "music", {"SR_SONG"});
  record("bob", "SR_SONG", "SR_STAMINA", "Song");
  team.sandbox.CommitAll("bob", "recorded");
  CHECK(team.Revctl("bob", {"land"}).status == 0);
  CHECK(team.sandbox.Read("runs") == "run\nrun\n");
}
