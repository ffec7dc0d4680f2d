// Numbers at landing: tests pull requests that a host merges as plain text, the subsequent folds,
// and the gate's findings about both.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/landing_team.h"
#include "tests/scenarios/record_text.h"

using namespace revctl;
using namespace revctl::testing;
using nlohmann::json;

namespace {

/// Returns a pending file without its first line, which names the person who reserved the revision.
std::string Pending(const LandingTeam& team, const std::string& who, const std::string& name) {
  const std::string text = team.sandbox.Read(who + "/" + kFolder + name + ".yaml");
  return text.starts_with("# reserved by ") ? text.substr(text.find('\n') + 1) : "no person";
}

}  // namespace

TEST_CASE("at landing: two pull requests are merged with a button, then folded",
          "[landing][fold]") {
  const LandingTeam team;
  team.Branch("ann", "bosses", {"SR_BOSS", "SR_ANT"});
  team.Branch("bob", "cool", {"SR_COOL"});
  CHECK(Rules(team, "bob") == "");
  REQUIRE(team.HostMerges("bosses").status == 0);
  REQUIRE(team.HostMerges("cool").status == 0);
  // Builds before the fold use the numbers that the fold will assign.
  team.Revctl("host", {"sync"});
  CHECK(team.Numbers("host") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_ANT=4 SR_COOL=5");
  const std::string before = team.Numbers("host");
  const auto folded = team.Revctl("host", {"fold", "--push", "--json"});
  INFO(folded.err);
  REQUIRE(folded.status == 0);
  CHECK(json::parse(folded.out).at("folded").size() == 3);
  CHECK(
      team.ListOnMain("ann").find("    SR_FOULS=2,// ae: fouls\n    SR_BOSS=3,// a: for SR_BOSS\n"
                                  "    SR_ANT=4,// a: for SR_ANT\n    SR_COOL=5,// b: for SR_COOL\n"
                                  "#if __has_include(") != std::string::npos);
  CHECK(team.sandbox.Git("ann", {"ls-tree", "-r", "--name-only", "origin/main", "src/"})
            .find(".yaml") == std::string::npos);
  CHECK(team.sandbox.Git("ann", {"ls-tree", "-r", "--name-only", "origin/main", kFolder}) ==
        kFolder + std::string(".gitignore"));
  CHECK(team.Revctl("host", {"fold", "--push"}).err == "OK: nothing to fold on origin/main\n");
  team.sandbox.Git("ann", {"checkout", "-q", "-B", "main", "origin/main"});
  CHECK(team.Numbers("ann") == before);
  // In a clone that has not run `sync`, the include file is out of date. After `sync`, it is empty.
  CHECK(Rules(team, "ann") == "RV029 warning");
  team.Revctl("ann", {"sync", "--include"});
  CHECK(Rules(team, "ann") == "");
  CHECK(team.sandbox.Read(std::string("ann/") + kInclude).find("SR_") == std::string::npos);
  CHECK(RedCommits(team) == "");
}

TEST_CASE("at landing: reserve only writes a file", "[landing][reserve]") {
  const LandingTeam team;
  const std::string list = team.List("ann");
  // `reserve` needs no server.
  team.sandbox.Git("ann", {"remote", "set-url", "origin", "/nowhere"});
  auto run = team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "the boss has phases", "--json"});
  REQUIRE(run.status == 0);
  CHECK(json::parse(run.out) == json({{"version", 1},
                                      {"list", "main"},
                                      {"name", "SR_BOSS"},
                                      {"number", 3},
                                      {"provisional", false},
                                      {"unfolded", true},
                                      {"file", "src/master_version_list.pending/SR_BOSS.yaml"},
                                      {"dry_run", false}}));
  CHECK(team.List("ann") == list);
  CHECK(Pending(team, "ann", "SR_BOSS") == "message: \"a: the boss has phases\"\n");
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  CHECK(team.Revctl("ann", {"reserve", "SR_ANT"}).out == "SR_ANT = 4\n");
  CHECK(Pending(team, "ann", "SR_ANT") == "message: \"\"\nafter: [\"SR_BOSS\"]\n");
  CHECK(team.sandbox.Read(std::string("ann/") + kInclude)
            .ends_with("SR_BOSS = SR_FOULS + 1,\nSR_ANT,\n"));
  CHECK(team.Revctl("ann", {"reserve", "SR_Boss"}).status == 1);
  CHECK(team.Revctl("ann", {"reserve", "SR_FOULS"}).status == 1);
  CHECK(team.Revctl("ann", {"reserve", "XX_BOSS"}).status == 2);
  CHECK(team.Revctl("ann", {"reserve", "--dry-run", "--offline"}).out == "5\n");
  const auto listed = json::parse(team.Revctl("ann", {"list", "--json"}).out);
  const auto& boss = listed.at("lists").at(0).at("revisions").at(2);
  CHECK(boss.at("state") == "pending");
  CHECK(boss.at("unfolded") == true);
  CHECK(boss.at("number") == 3);
  CHECK(team.Revctl("ann", {"codegen"}).out.find("{\"SR_ANT\", 4, ") != std::string::npos);
  // Abandoning a revision leaves no gap in the numbers or in the `after` lists.
  CHECK(team.Revctl("ann", {"reserve", "SR_CAT"}).out == "SR_CAT = 5\n");
  CHECK(team.Revctl("ann", {"abandon", "SR_ANT"}).out == "SR_ANT is abandoned\n");
  const auto mistyped = team.Revctl("ann", {"abandon", "SR_NAT"});
  CHECK(mistyped.status == 1);
  CHECK(mistyped.err.find("SR_NAT is not pending; nothing to abandon") != std::string::npos);
  CHECK(Pending(team, "ann", "SR_CAT") == "message: \"\"\nafter: [\"SR_BOSS\"]\n");
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_CAT=4");
}

TEST_CASE("at landing: the gate compares the tree before and after", "[landing][check]") {
  const LandingTeam team;
  team.Branch("ann", "bosses", {"SR_BOSS", "SR_ANT"});
  REQUIRE(team.HostMerges("bosses").status == 0);
  team.sandbox.Git("bob", {"pull", "-q"});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = team.List("bob");
    text.replace(text.find(from), from.size(), to);
    team.sandbox.Write("bob/" + std::string(Team::kList), text);
    const std::string rules = Rules(team, "bob");
    team.sandbox.Git("bob", {"checkout", "-q", "--", "."});
    return rules;
  };
  const std::string block = "#if __has";
  // Entries written by hand: for an unknown revision, in the wrong order, with the wrong numbers,
  // or without the entry that must come first.
  CHECK(with(block, "    SR_HAND=3,\n" + block).find("RV030 error") != std::string::npos);
  CHECK(with(block, "    SR_ANT=3,\n    SR_BOSS=4,\n" + block).find("RV030 error") !=
        std::string::npos);
  CHECK(with(block, "    SR_BOSS=9,\n    SR_ANT=10,\n" + block).find("RV030 error") !=
        std::string::npos);
  CHECK(with(block, "    SR_ANT=3,\n" + block).find("RV030 error") != std::string::npos);
  // A correct entry does not count as a fold while its pending file remains.
  CHECK(with(block, "    SR_BOSS=3,\n" + block).find("RV030 error") != std::string::npos);
  // A handwritten change that is identical to a fold counts as a fold.
  team.sandbox.Git("bob", {"rm", "-q", std::string(kFolder) + "SR_BOSS.yaml"});
  std::string text = team.List("bob");
  text.replace(text.find(block), 0, "    SR_BOSS=3,// a: for SR_BOSS\n");
  team.sandbox.Write("bob/" + std::string(Team::kList), text);
  CHECK(Rules(team, "bob") == "");
  team.sandbox.Git("bob", {"checkout", "-q", "HEAD", "--", "."});
  // Pending files that have landed must be neither changed nor removed.
  team.sandbox.Write(std::string("bob/") + kFolder + "SR_ANT.yaml", "message: mine now\n");
  CHECK(Rules(team, "bob").find("RV029 error") != std::string::npos);
  team.sandbox.CommitAll("bob", "edited");
  auto refused = team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  CHECK(refused.status != 0);
  CHECK(refused.err.find("the pending file of SR_ANT has landed on main, but this change ") !=
        std::string::npos);
  team.sandbox.Git("bob", {"reset", "-q", "--hard", "origin/main"});
  team.sandbox.Git("bob", {"rm", "-q", std::string(kFolder) + "SR_BOSS.yaml"});
  CHECK(Rules(team, "bob").find("RV029 error") != std::string::npos);
  team.sandbox.Git("bob", {"reset", "-q", "--hard", "origin/main"});
  // If one REM names two pending revisions, one of them must come after the other. The printed fix
  // adds that order.
  team.Reserve("bob", "SR_LATER");
  team.sandbox.Write("bob/src/rem.cpp", "REM(SR_BOSS, SR_LATER, int, x, 0);\n");
  CHECK(Rules(team, "bob") == "RV029 error");
  REQUIRE(team.Revctl("bob", {"reserve", "SR_LATER", "--after", "SR_BOSS"}).status == 0);
  CHECK(Rules(team, "bob") == "");
  const std::string behind = "message: \"b: for SR_LATER\"\nafter: [\"SR_BOSS\"]\n";
  CHECK(Pending(team, "bob", "SR_LATER") == behind);
  team.sandbox.Git("bob", {"clean", "-fdq"});
  // The include file must not be in git.
  team.Revctl("bob", {"sync"});
  team.sandbox.Git("bob", {"add", "-f", kInclude});
  CHECK(Rules(team, "bob").find("RV029 error") != std::string::npos);
}

TEST_CASE("at landing: stacked branches are squashed one by one", "[landing][fold]") {
  const LandingTeam team;
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  config.insert(config.find("path: "), "golden: golden, ");
  team.sandbox.Write("ann/.revctl.yaml", config);
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", Record("SR_FOULS", 2, {}, "Match"));
  team.Land("ann");
  const auto branch = [&](const std::string& name, const std::string& revision,
                          const std::vector<std::string>& before) {
    team.sandbox.Git("ann", {"checkout", "-q", "-b", name});
    team.Reserve("ann", revision);
    const std::string golden = "ann/golden/" + revision;
    team.sandbox.Write(golden + ".yaml", Record(revision, 3, before, "Match"));
    team.sandbox.Write(golden + ".golden", std::string("rvgold\1\n\0\0\0\0", 12));
    team.sandbox.CommitAll("ann", name);
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", name});
  };
  branch("one", "SR_ONE", {"SR_FOULS"});
  branch("two", "SR_TWO", {"SR_FOULS", "SR_ONE"});
  const auto squash = [&](const std::string& name) {
    if (!team.sandbox.Exists("host")) team.sandbox.Clone(team.Url(), "host", "host");
    team.sandbox.Git("host", {"fetch", "-q"});
    team.sandbox.Git("host", {"checkout", "-q", "-B", "main", "origin/main"});
    auto merged = team.sandbox.TryGit("host", {"merge", "-q", "--squash", "origin/" + name});
    if (merged.status == 0) team.sandbox.Git("host", {"commit", "-q", "-m", name});
    if (merged.status == 0) team.sandbox.Git("host", {"push", "-q", "origin", "main"});
    return merged.status;
  };
  REQUIRE(squash("one") == 0);
  REQUIRE(team.Revctl("host", {"fold", "--push"}).status == 0);
  // The second squash restores the pending file of the first branch, which the gate reports as a
  // note. The next fold removes the file.
  REQUIRE(squash("two") == 0);
  CHECK(team.sandbox.Exists(std::string("host/") + kFolder + "SR_ONE.yaml"));
  CHECK(Rules(team, "host", {"--target", "HEAD"}) == "RV029 note");
  CHECK(team.Numbers("host") == "SR_INITIAL=1 SR_FOULS=2 SR_ONE=3 SR_TWO=4");
  REQUIRE(team.Revctl("host", {"fold", "--push"}).status == 0);
  team.sandbox.Git("host", {"reset", "-q", "--hard", "origin/main"});
  CHECK_FALSE(team.sandbox.Exists(std::string("host/") + kFolder + "SR_ONE.yaml"));
  CHECK(team.Numbers("host") == "SR_INITIAL=1 SR_FOULS=2 SR_ONE=3 SR_TWO=4");
  CHECK(team.sandbox.Git("host", {"diff", "--name-only", "origin/two", "--", "golden"}).empty());
  CHECK(RedCommits(team) == "");
}

TEST_CASE("at landing: one merge joins a fold and a stacked branch", "[landing][fold][merge]") {
  LandingTeam team;
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  config.insert(config.find("path: "), "golden: golden, ");
  team.sandbox.Write("ann/.revctl.yaml", config + "land: {goldens: \"sh ../refresh\"}\n");
  team.sandbox.Write("refresh",
                     "sed -i 's/^previous: .*/previous: SR_AAA/' golden/SR_ONE.yaml\n"
                     "[ ! -e golden/SR_TWO.yaml ] || sed -i -e '/^behind:/d' "
                     "-e 's/^previous: .*/previous: SR_ONE/' golden/SR_TWO.yaml\n");
  const auto golden = [&](const std::string& who, const std::string& name,
                          const std::vector<std::string>& before) {
    team.sandbox.Write(who + "/golden/" + name + ".yaml", Record(name, 3, before, "Match"));
    team.sandbox.Write(who + "/golden/" + name + ".golden", std::string("rvgold\1\n\0\0\0\0", 12));
  };
  golden("ann", "SR_FOULS", {});
  team.Land("ann");
  const auto branch = [&](const std::string& who, const std::string& name,
                          const std::string& revision, const std::vector<std::string>& before) {
    team.sandbox.Git(who, {"checkout", "-q", "-b", name});
    team.Reserve(who, revision);
    golden(who, revision, before);
    team.sandbox.CommitAll(who, name);
    team.sandbox.Git(who, {"push", "-q", "--no-verify", "origin", name});
  };
  const auto squash = [&](const std::string& name) {
    if (!team.sandbox.Exists("host")) team.sandbox.Clone(team.Url(), "host", "host");
    team.sandbox.Git("host", {"fetch", "-q"});
    team.sandbox.Git("host", {"checkout", "-q", "-f", "-B", "main", "origin/main"});
    auto merged = team.sandbox.TryGit(
        "host", {"-c", "merge.revctl.driver=false", "merge", "-q", "--squash", "origin/" + name});
    if (merged.status == 0) team.sandbox.Git("host", {"commit", "-q", "-m", name});
    return merged.status == 0 ? team.sandbox.TryGit("host", {"push", "-q", "origin", "main"}).status
                              : merged.status;
  };
  team.sandbox.Git("bob", {"pull", "-q"});
  branch("ann", "one", "SR_ONE", {"SR_FOULS"});
  branch("ann", "two", "SR_TWO", {"SR_FOULS", "SR_ONE"});
  branch("bob", "other", "SR_AAA", {"SR_FOULS"});
  REQUIRE(squash("other") == 0);
  REQUIRE(squash("one") == 0);
  const auto fold = team.Revctl("host", {"fold", "--push"});
  INFO(fold.out << fold.err);
  REQUIRE(fold.out == "SR_AAA = 3\nSR_ONE = 4\n");
  // Both sides added the record, but with different contents, so a merge without the driver
  // conflicts.
  CHECK(squash("two") != 0);
  CHECK(team.sandbox.Git("host", {"diff", "--name-only", "--diff-filter=U"}) ==
        "golden/SR_ONE.yaml");
  team.sandbox.Git("host", {"reset", "-q", "--hard", "origin/main"});
  // The driver keeps the landed record. Afterwards the host's merge button works.
  team.sandbox.Git("ann", {"fetch", "-q"});
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  const auto joined = team.sandbox.TryGit("ann", {"merge", "-q", "--no-edit", "origin/main"});
  INFO(joined.out << joined.err);
  REQUIRE(joined.status == 0);
  CHECK(team.sandbox.Git("ann", {"diff", "--name-only", "origin/main", "--", "golden",
                                 Team::kList}) == "golden/SR_TWO.golden\ngolden/SR_TWO.yaml");
  CHECK_THAT(Rules(team, "ann"), !Catch::Contains("error"));
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "two"});
  REQUIRE(squash("two") == 0);
  const auto second = team.Revctl("host", {"fold", "--push"});
  INFO(second.out << second.err);
  CHECK_THAT(second.out, Catch::StartsWith("SR_TWO = 5\n"));
  CHECK(RedCommits(team) == "");
}

TEST_CASE("at landing: open branches follow a list that has switched", "[landing][adopt]") {
  const Team team;
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "old"});
  REQUIRE(team.Revctl("bob", {"init", "--no-install"}).status == 0);
  for (const char* name : {"SR_B2", "SR_B1"})
    REQUIRE(team.Revctl("bob", {"reserve", name, "-m", std::string("for ") + name}).status == 0);
  team.sandbox.CommitAll("bob", "old");
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes"}).status == 0);
  CHECK(team.sandbox.Read("ann/.revctl.yaml").find("floor: \"4\"") != std::string::npos);
  team.Land("ann");
  team.Revctl("bob", {"install"});
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(Rules(team, "bob").find("RV030 error") != std::string::npos);
  const auto adopted = team.Revctl("bob", {"fix"});
  INFO(adopted.out << adopted.err);
  REQUIRE(adopted.status == 0);
  CHECK(team.List("bob") ==
        team.sandbox.Git("bob", {"show", std::string("origin/main:") + Team::kList}) + "\n");
  CHECK(team.sandbox.Read(std::string("bob/") + kFolder + "SR_B1.yaml") ==
        "message: \"b: for SR_B1\"\nafter: [\"SR_B2\"]\n");
  // Numbers continue above the ledger's high-water mark.
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_B2=5 SR_B1=6");
  CHECK(team.Revctl("bob", {"fix"}).out.empty());
}

TEST_CASE("at landing: switching the numbering requires confirmation", "[landing][adopt]") {
  const Team team;
  const std::string before = team.sandbox.Snapshot("ann");
  for (const std::string numbers : {"at-landing", "at-reserve"}) {
    INFO(numbers);
    if (numbers == "at-reserve") {
      REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes"}).status == 0);
      team.Land("ann");
    }
    const std::string now = team.sandbox.Snapshot("ann");
    const auto refused = team.Revctl("ann", {"init", "--numbers", numbers});
    INFO(refused.out << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.out.starts_with("switches src/master_version_list.h to `numbers: " + numbers +
                                  "`:\n  .revctl.yaml: numbers: " + numbers));
    CHECK(refused.err ==
          "revctl: nothing was written, because the plan was not confirmed\nfix: revctl init "
          "--numbers " +
              numbers + " --yes\n");
    CHECK(team.sandbox.Snapshot("ann") == now);
    // A dry run shows the same plan.
    const auto dry = team.Revctl("ann", {"init", "--numbers", numbers, "--dry-run"});
    CHECK(dry.status == 0);
    CHECK(dry.out == refused.out);
    CHECK(team.sandbox.Snapshot("ann") == now);
    // Choosing the mode that the list already uses requires no confirmation.
    const std::string same = numbers == "at-landing" ? "at-reserve" : "at-landing";
    CHECK(team.Revctl("ann", {"init", "--numbers", same}).status == 0);
    CHECK(team.sandbox.Snapshot("ann") == now);
  }
  CHECK(before != team.sandbox.Snapshot("ann"));
}

TEST_CASE("at landing: switching back while a branch has pending files", "[landing][adopt]") {
  const LandingTeam team;
  team.Branch("bob", "old", {"SR_B2", "SR_B1"});
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "-B", "main", "origin/main"});
  team.sandbox.Git("ann", {"pull", "-q"});
  // A switch to at-reserve is rejected while revisions are pending, because these revisions would
  // never get a number.
  CHECK(team.Revctl("ann", {"init", "--numbers", "at-reserve"}).status == 1);
  REQUIRE(team.Revctl("ann", {"fold", "--push"}).status == 0);
  team.sandbox.Git("ann", {"pull", "-q"});
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-reserve", "--yes"}).status == 0);
  CHECK(Rules(team, "ann").find("error") == std::string::npos);
  team.Land("ann");
  CHECK(team.ListOnMain("ann").find("pending") == std::string::npos);
  CHECK(RedCommits(team) == "");
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"merge", "-q", "--no-edit", "origin/main"});
  CHECK(Rules(team, "bob").find("RV029 error") != std::string::npos);
  const auto adopted = team.Revctl("bob", {"fix"});
  INFO(adopted.out << adopted.err);
  REQUIRE(adopted.status == 0);
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_ONE=3 SR_B2=4 SR_B1=5");
  CHECK_FALSE(team.sandbox.Exists(std::string("bob/") + kFolder + "SR_B1.yaml"));
  CHECK(Rules(team, "bob").find("error") == std::string::npos);
}

TEST_CASE("at landing: hooks maintain the include file until uninstall", "[landing][install]") {
  const LandingTeam team;
  const auto include = [&] { return team.sandbox.Read(std::string("bob/") + kInclude); };
  REQUIRE(team.Revctl("bob", {"install"}).status == 0);
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("bob", {"pull", "-q"});
  CHECK(include().ends_with("SR_ONE = SR_FOULS + 1,\n"));
  team.Branch("bob", "two", {"SR_TWO"});
  CHECK(include().ends_with("SR_ONE = SR_FOULS + 1,\nSR_TWO,\n"));
  team.sandbox.Git("bob", {"checkout", "-q", "main"});
  CHECK(include().ends_with("SR_ONE = SR_FOULS + 1,\n"));
  // A second work tree also has an up-to-date include file, and a shallow clone can fold.
  team.sandbox.Git("bob", {"worktree", "add", "-q", "../tree", "two"});
  CHECK(team.sandbox.Read(std::string("tree/") + kInclude)
            .ends_with("SR_ONE = SR_FOULS + 1,\nSR_TWO,\n"));
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), "shallow"});
  team.sandbox.Git("shallow", {"config", "user.name", "job"});
  team.sandbox.Git("shallow", {"config", "user.email", "job@studio.example"});
  REQUIRE(team.Revctl("shallow", {"sync"}).status == 0);
  CHECK(
      team.sandbox.Read(std::string("shallow/") + kInclude).ends_with("SR_ONE = SR_FOULS + 1,\n"));
  // An old branch can land unchanged, no matter how far the target has moved.
  CHECK(team.Revctl("bob", {"status", "--branches", "--fetch"}).out.empty());
  const auto folded = team.Revctl("shallow", {"fold", "--push"});
  INFO(folded.err);
  REQUIRE(folded.status == 0);
  CHECK(team.ListOnMain("host").find("SR_ONE") != std::string::npos);
  const std::string old = include();
  REQUIRE(team.sandbox.TryGit("bob", {"pull", "-q", "--rebase"}, {"REVCTL=0"}).status == 0);
  CHECK(include() == old);
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "again"});
  CHECK(include().find("SR_") == std::string::npos);
  REQUIRE(team.Revctl("bob", {"uninstall"}).status == 0);
  for (const char* hook : {"post-checkout", "post-merge", "post-rewrite", "pre-commit"})
    CHECK_FALSE(team.sandbox.Exists(std::string("bob/.git/hooks/") + hook));
}

TEST_CASE("at landing: a fork without the ledger is complete", "[landing]") {
  Team team;
  // If a list began with numbers at reserve, its config names a ledger, which a fork on a host does
  // not have.
  team.sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "ledger_id: deadbeef\n");
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes", "--offline"}).status ==
          0);
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "b"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "the boss");
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"check", "--fetch"}, {"status", "--fetch"}, {"show", "SR_BOSS"}, {"land"}}) {
    const auto run = team.Revctl("ann", command);
    INFO(command[0] << run.out << run.err);
    CHECK(run.status == 0);
  }
}

TEST_CASE("at landing: reserve assigns no number on a branch from before the switch", "[landing]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_EARLY"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "--", Team::kList});
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes"}).status == 0);
  team.Land("ann");
  const auto late = team.Revctl("bob", {"reserve", "SR_LATE"});
  CHECK(late.status == 1);
  CHECK(late.err.find("fix: git merge origin/main && revctl reserve SR_LATE\n") !=
        std::string::npos);
  CHECK(team.List("bob") == Team::kListText);
  team.sandbox.Git("bob", {"merge", "-q", "origin/main"});
  CHECK(team.Revctl("bob", {"reserve", "SR_LATE"}).status == 0);
  CHECK(team.sandbox.Exists(std::string("bob/") + kFolder + "SR_LATE.yaml"));
}

TEST_CASE("at landing: show finds the list of a build from a branch", "[landing][show]") {
  const LandingTeam team;
  team.Branch("bob", "b", {"SR_BBB"});
  const auto listed = json::parse(team.Revctl("bob", {"list", "--json"}).out);
  const std::string lineage =
      listed.at("lists").at(0).at("revisions").at(2).at("lineage").get<std::string>();
  team.Branch("ann", "a", {"SR_AAA"});
  REQUIRE(team.HostMerges("a").status == 0);
  REQUIRE(team.HostMerges("b").status == 0);
  REQUIRE(team.Revctl("host", {"fold", "--push"}).out == "SR_AAA = 3\nSR_BBB = 4\n");
  team.sandbox.Git("host", {"reset", "-q", "--hard", "origin/main"});
  const auto found = team.Revctl("host", {"show", lineage, "--output", "theirs.json"});
  INFO(found.out << found.err);
  CHECK(found.status == 0);
  CHECK(found.out.find("SR_BBB = 3 in ") != std::string::npos);
  CHECK(team.sandbox.Read("host/theirs.json").find("\"SR_BBB\",\"number\":3") != std::string::npos);
}

TEST_CASE("at landing: include lines that were moved, duplicated or disabled", "[landing][check]") {
  const LandingTeam team({"ann"});
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("ann", {"fetch", "-q"});
  const std::string block =
      "#if __has_include(\"master_version_list.pending.inc\")\n"
      "#include \"master_version_list.pending.inc\"\n#endif\n";
  struct Row {
    std::string from, to;
    int line;
  };
  const std::string fouls = "    SR_FOULS=2,// ae: fouls\n";
  const Row rows[] = {{fouls + block, block + fouls, 5},
                      {block, block + block, 9},
                      {block, "#if 0\n" + block + "#endif\n", 7}};
  for (const Row& row : rows) {
    INFO(row.to);
    team.sandbox.Git("ann", {"checkout", "-q", "-f", "-B", "bad", "origin/main"});
    std::string text = team.List("ann");
    const std::size_t at = text.find(row.from);
    REQUIRE(at != text.npos);
    team.sandbox.Write("ann/" + std::string(Team::kList),
                       text.replace(at, row.from.size(), row.to));
    team.sandbox.CommitAll("ann", "bad");
    const auto refused =
        team.sandbox.TryGit("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK(refused.status != 0);
    CHECK_THAT(refused.err, Catch::Contains(std::string(Team::kList) + ":" +
                                            std::to_string(row.line) + ": error[RV029]") &&
                                Catch::Contains("fix: revctl fix"));
    CHECK(Rules(team, "ann").find("RV029 error") != std::string::npos);
    // The printed fix works, even with a pending revision on the branch.
    team.sandbox.Write(std::string("ann/") + kFolder + "SR_TWO.yaml", "message: two\n");
    const auto fixed = team.Revctl("ann", {"fix"});
    INFO(fixed.out << fixed.err);
    CHECK(fixed.status == 0);
    CHECK(Rules(team, "ann").find("error") == std::string::npos);
    CHECK(team.sandbox
              .Run("ann", {"sh", "-c",
                           "echo 'int x = SR_TWO;' | c++ -fsyntax-only -x c++ -include "
                           "src/master_version_list.h -"})
              .err.empty());
    team.sandbox.Git("ann", {"clean", "-fdq"});
  }
}

TEST_CASE("at landing: a pull leaves the include file out of date", "[landing][check]") {
  const LandingTeam team;
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  const auto pull = [&] {
    REQUIRE(team.sandbox.TryGit("bob", {"pull", "-q"}, {"REVCTL=0"}).status == 0);
  };
  pull();
  std::filesystem::remove(team.sandbox.Path(std::string("bob/") + kInclude));
  CHECK(Rules(team, "bob") == "");  // there is no include file, as in a fresh checkout
  REQUIRE(team.Revctl("bob", {"sync"}).status == 0);
  REQUIRE(team.Revctl("host", {"fold", "--push"}).status == 0);
  pull();
  CHECK(Rules(team, "bob") == "RV029 warning");
  CHECK(Rules(team, "bob", {"--head", "HEAD"}) == "");
  const std::string said = std::string(kInclude) + ": ";
  CHECK_THAT(team.Revctl("bob", {"status"}).err,
             Catch::Contains(said) && Catch::Contains("; fix: revctl fix"));
  REQUIRE(team.Revctl("bob", {"sync"}).status == 0);
  CHECK(Rules(team, "bob") == "");
  CHECK(team.Revctl("bob", {"status"}).err.find(said) == std::string::npos);
}
