// Tests folds under difficult conditions: a kill during a refresh, two concurrent jobs, a
// force-pushed target, several lists in one folder, too many files, a newer program, and duplicate
// names.
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/landing_team.h"
#include "tests/scenarios/record_text.h"

using namespace revctl;
using namespace revctl::testing;
using Catch::Contains;

TEST_CASE("fold: can be run again after a kill while goldens are refreshed", "[landing][fold]") {
  const LandingTeam team;
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  config.insert(config.find("path: "), "golden: golden, ");
  team.sandbox.Write("ann/.revctl.yaml", config + "land: {goldens: \"sh ../refresh\"}\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", Record("SR_FOULS", 2, {}, "Match"));
  // Kill the first run between two writes. The script identifies the run by its process id, because
  // the script's own parent may be a shell.
  team.sandbox.Write(
      "refresh",
      "sed -i 's/^previous: .*/previous: SR_AAA/' golden/SR_ONE.yaml\n"
      "printf 'rvgold\\001\\n\\000\\000\\000\\000' > golden/SR_ONE.golden\n"
      "[ -e ../killed ] || { echo > ../killed; kill -9 $(cat ../revctl.pid); sleep 5; }\n");
  team.Land("ann");
  for (const char* name : {"SR_ONE", "SR_AAA"}) {
    team.sandbox.Git("ann", {"fetch", "-q"});
    team.sandbox.Git("ann", {"checkout", "-q", "-b", name, "origin/main"});
    team.Reserve("ann", name);
    team.sandbox.Write("ann/golden/" + std::string(name) + ".yaml",
                       Record(name, 3, {"SR_FOULS"}, "Match"));
    team.sandbox.CommitAll("ann", name);
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", name});
    REQUIRE(team.HostMerges(name).status == 0);
  }
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "mine"});
  team.sandbox.Git("bob", {"commit", "-q", "--allow-empty", "-m", "mine"});
  const std::string mine = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  const std::string before = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});
  const auto killed = team.sandbox.Run(
      "bob", {"sh", "-c", "echo $$ > ../revctl.pid; exec '" + ProgramPath() + "' fold --push"});
  CHECK(killed.status != 0);
  REQUIRE(team.sandbox.Exists("killed"));
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main"}) == before);
  CHECK_FALSE(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  const auto again = team.Revctl("bob", {"fold", "--push"});
  INFO(again.err);
  CHECK(again.status == 0);
  CHECK(again.out == "SR_AAA = 3\nSR_ONE = 4\n");
  CHECK_THAT(again.err, Contains("restoring the work tree after an interrupted fold"));
  CHECK(team.sandbox.Git("bob", {"rev-parse", "HEAD"}) == mine);
  CHECK(team.sandbox.Git("bob", {"symbolic-ref", "--short", "HEAD"}) == "mine");
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(team.sandbox.Git("srv/game.git",
                         {"ls-tree", "--name-only", "main", "golden/SR_ONE.golden"}) != "");
}

TEST_CASE("fold: two concurrent jobs assign each number once", "[landing][fold]") {
  const LandingTeam team;
  for (int round = 0; round < 3; ++round) {
    const std::string name = "SR_R" + std::to_string(round);
    team.Branch("ann", name, {name, name + "_B"});
    REQUIRE(team.HostMerges(name).status == 0);
    std::array<base::ProcessResult, 2> runs;
    const char* people[] = {"ann", "bob"};
    std::vector<std::thread> jobs;
    for (std::size_t i = 0; i < 2; ++i)
      jobs.emplace_back([&, i] { runs[i] = team.Revctl(people[i], {"fold", "--push"}); });
    for (auto& job : jobs) job.join();
    const std::string both = name + " = " + std::to_string(3 + 2 * round) + "\n" + name +
                             "_B = " + std::to_string(4 + 2 * round) + "\n";
    for (const auto& run : runs) {
      INFO(run.out << run.err);
      CHECK(run.status == 0);
      CHECK((run.out == both || run.out.empty()));
    }
    CHECK((runs[0].out == both || runs[1].out == both));
  }
  const std::string log =
      team.sandbox.Git("srv/game.git", {"log", "--format=%s", "--first-parent", "main"});
  std::size_t folds = 0;
  for (std::size_t at = 0; (at = log.find("Assign numbers to landed revisions", at)) != log.npos;
       ++at)
    ++folds;
  CHECK(folds == 3);
}

TEST_CASE("fold: the target was force-pushed", "[landing][fold]") {
  const LandingTeam team;
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  const std::string before = team.sandbox.Git("srv/game.git", {"rev-parse", "main"});
  REQUIRE(team.Revctl("bob", {"fold", "--push"}).out == "SR_ONE = 3\n");
  // If the server runs the gate, a force-push cannot remove the fold.
  const auto refused =
      team.sandbox.TryGit("host", {"push", "-q", "-f", "origin", before + ":main"});
  CHECK(refused.status != 0);
  CHECK_THAT(refused.err, Contains("error[RV003]: SR_ONE (3"));
  // On an unprotected server, a force-push removes the fold. The next fold starts from the new tip
  // of main and assigns the same number.
  std::filesystem::remove(team.sandbox.Path("srv/game.git/hooks/pre-receive"));
  team.sandbox.Git("host", {"push", "-q", "-f", "origin", before + ":main"});
  const auto again = team.Revctl("bob", {"fold", "--push"});
  INFO(again.err);
  CHECK(again.out == "SR_ONE = 3\n");
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main~1"}) == before);
}

TEST_CASE("fold: several lists in the same folder", "[landing][fold]") {
  const LandingTeam team;
  team.sandbox.Write("ann/src/net.h", "#pragma once\nenum Net {\n    NET_FIRST=1,\n};\n");
  std::string config = team.sandbox.Read("ann/.revctl.yaml");
  const std::size_t lists = config.find("lists: [");
  REQUIRE(lists != config.npos);
  team.sandbox.Write("ann/.revctl.yaml",
                     config.insert(lists + 8, "{path: src/net.h, name: net, prefix: NET_}, "));
  // A list that has not landed can switch to numbers at landing.
  REQUIRE(
      team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes", "--list", "net", "--offline"})
          .status == 0);
  CHECK(Rules(team, "ann").find("error") == std::string::npos);
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "both"});
  REQUIRE(team.Revctl("ann", {"reserve", "NET_PING", "--list", "net", "-m", "ping"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_PING", "--list", "main", "-m", "ping"}).status == 0);
  team.sandbox.Write("ann/src/use.cpp", "int a = NET_PING, b = SR_PING;\n");
  CHECK(Rules(team, "ann") == "");
  team.sandbox.CommitAll("ann", "both");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "both"});
  REQUIRE(team.HostMerges("both").status == 0);
  CHECK(team.sandbox.Exists("ann/src/net.pending.inc"));
  team.sandbox.Git("bob", {"pull", "-q"});  // `fold` takes the lists from this clone's config
  const auto first = team.Revctl("bob", {"fold", "--push", "--list", "net"});
  INFO(first.err);
  REQUIRE(first.out == "NET_PING = 2\n");
  REQUIRE(team.Revctl("bob", {"fold", "--push"}).out == "SR_PING = 3\n");
  // Reverting the fold of one list does not affect the other list's fold.
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Git("bob", {"revert", "--no-edit", "HEAD~1"});
  CHECK(Rules(team, "bob") == "RV003 error");
}

TEST_CASE("fold: ten thousand pending files, and one more", "[.][large][landing][fold]") {
  const LandingTeam team({"ann"});
  for (int i = 0; i <= 10000; ++i)
    team.sandbox.Write(
        std::string("ann/") + kFolder + "SR_N" + std::to_string(100000 + i) + ".yaml",
        "message: \"\"\n");
  for (const char* command : {"sync", "check", "status"}) {
    const auto run = team.Revctl("ann", {command});
    INFO(command << ": " << run.out << run.err);
    CHECK(run.status == 2);
    CHECK_THAT(run.err, Contains("src/master_version_list.pending: more than 10000 pending"));
  }
  std::filesystem::remove(team.sandbox.Path(std::string("ann/") + kFolder + "SR_N110000.yaml"));
  team.sandbox.CommitAll("ann", "many");
  CHECK(team.Revctl("ann", {"check", "-q"}).status == 0);
  const auto fold = team.Revctl("ann", {"fold", "-q"});
  INFO(fold.err);
  CHECK(fold.status == 0);
  CHECK_THAT(team.List("ann"), Contains("    SR_N109999=10002,"));
}

TEST_CASE("fold: a list that needs a newer revctl is left unchanged", "[landing][fold]") {
  const LandingTeam team({"ann"});
  team.Reserve("ann", "SR_ONE");
  team.sandbox.Write("ann/.revctl.yaml",
                     team.sandbox.Read("ann/.revctl.yaml") + "min_revctl: \"99.1\"\n");
  team.sandbox.CommitAll("ann", "newer");
  const std::string before = team.sandbox.Snapshot("ann");
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"fold"},
                                             {"fold", "--push"},
                                             {"sync"},
                                             {"fix"},
                                             {"reserve", "SR_TWO"},
                                             {"init", "--numbers", "at-reserve"},
                                             {"check"}}) {
    const auto run = team.Revctl("ann", words);
    INFO(words[0] << ": " << run.out << run.err);
    CHECK(run.status == 2);
    CHECK_THAT(run.err, Contains("needs revctl 99.1") && Contains("fix: install a newer revctl"));
  }
  CHECK(team.sandbox.Snapshot("ann") == before);
}

TEST_CASE("init: a killed switch of the numbering can be repeated; a dry run changes nothing",
          "[landing][fold]") {
  const LandingTeam team({"ann"});
  const std::string before = team.sandbox.Snapshot("ann");
  const auto dry = team.Revctl("ann", {"init", "--numbers", "at-reserve", "--dry-run"});
  INFO(dry.out << dry.err);
  CHECK(dry.status == 0);
  CHECK(team.sandbox.Snapshot("ann") == before);
  // Recreate the state that a kill after the first write leaves behind.
  const std::string config = team.sandbox.Read("ann/.revctl.yaml");
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-reserve", "--yes"}).status == 0);
  const std::string list = team.List("ann"), whole = team.sandbox.Read("ann/.revctl.yaml");
  CHECK(list.find("__has_include") == std::string::npos);
  team.sandbox.Write("ann/.revctl.yaml", config);
  CHECK(team.Revctl("ann", {"init", "--numbers", "at-reserve", "--yes"}).status == 0);
  CHECK(team.List("ann") == list);
  CHECK(team.sandbox.Read("ann/.revctl.yaml") == whole);
}

TEST_CASE("fold: two people who reserve the same name offline get a conflict", "[landing][fold]") {
  const LandingTeam team;
  for (const char* person : {"ann", "bob"}) {
    team.sandbox.Git(person, {"checkout", "-q", "-b", person});
    team.sandbox.Git(person, {"remote", "set-url", "origin", "/nowhere"});
    REQUIRE(team.Revctl(person, {"reserve", "SR_SAME"}).status == 0);
    team.sandbox.Write("" + std::string(person) + "/src/use.cpp", "int use = SR_SAME;\n");
    team.sandbox.Git(person, {"remote", "set-url", "origin", team.Url()});
    team.sandbox.CommitAll(person, "same");
    team.sandbox.Git(person, {"push", "-q", "--no-verify", "origin", person});
  }
  REQUIRE(team.HostMerges("ann").status == 0);
  CHECK(Rules(team, "bob") == "");  // Bob has not fetched Ann's merge yet
  team.sandbox.Git("bob", {"fetch", "-q"});
  CHECK_THAT(team.Revctl("bob", {"check"}).out,
             Contains("SR_SAME.yaml: error[RV029]: this change and origin/main both add a pending "
                      "file with this name"));
  CHECK(team.HostMerges("bob").status != 0);
  team.sandbox.Git("host", {"merge", "--abort"});
}

TEST_CASE("fold: two branches that reserve the same name get a path conflict", "[landing][fold]") {
  const LandingTeam team;
  team.Branch("ann", "one", {"SR_SAME"});
  team.Branch("bob", "two", {"SR_SAME"});
  REQUIRE(team.HostMerges("one").status == 0);
  team.sandbox.Git("bob", {"fetch", "-q"});
  CHECK_THAT(team.Revctl("bob", {"check"}).out,
             Contains("SR_SAME.yaml: error[RV029]: this change and origin/main both add a pending "
                      "file with this name") &&
                 Contains("fix: git mv "));
  CHECK(team.HostMerges("two").status != 0);
  team.sandbox.Git("host", {"merge", "--abort"});
  // The printed fix works.
  team.sandbox.Git(
      "bob", {"mv", std::string(kFolder) + "SR_SAME.yaml", std::string(kFolder) + "SR_OTHER.yaml"});
  team.sandbox.Git("bob", {"mv", "src/use_SR_SAME.cpp", "src/use_SR_OTHER.cpp"});
  team.sandbox.Write("bob/src/use_SR_OTHER.cpp", "int use_SR_OTHER = SR_OTHER;\n");
  REQUIRE(team.Revctl("bob", {"sync"}).status == 0);
  CHECK(Rules(team, "bob") == "");
  team.sandbox.CommitAll("bob", "other");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "two"});
  REQUIRE(team.HostMerges("two").status == 0);
  CHECK(team.Revctl("host", {"fold", "--push"}).out == "SR_OTHER = 3\nSR_SAME = 4\n");
  CHECK(RedCommits(team) == "");
}

TEST_CASE("fold: main moves the list while a branch adds to the old place", "[landing][fold]") {
  const LandingTeam team;
  team.Branch("bob", "open", {"SR_OPEN"});
  const std::string old = std::string(kFolder) + "SR_OPEN.yaml";
  team.sandbox.Git("ann", {"mv", Team::kList, "src/revs.h"});
  team.sandbox.Git("ann", {"mv", "src/master_version_list.pending", "src/revs.pending"});
  team.sandbox.Run("ann", {"sh", "-c",
                           "sed -i 's/master_version_list/revs/g' src/revs.h .revctl.yaml "
                           "src/.gitignore; rm -f src/*.inc"});
  team.Land("ann");
  // Until the branch contains the target, the printed fix tells the user to merge or rebase.
  team.sandbox.Git("bob", {"fetch", "-q"});
  CHECK_THAT(
      team.Revctl("bob", {"check"}).out,
      Contains(old + ": error[RV029]: origin/main") && Contains(" moved the list to src/revs.h") &&
          Contains("fix: revctl land, or git merge origin/main") && !Contains("init --numbers"));
  // Update the branch with tools that do not detect the folder's rename.
  for (const std::string how : {"am", "merge"}) {
    INFO(how);
    team.sandbox.Git("bob", {"checkout", "-q", "-f", "-B", how, "origin/main"});
    const auto joined = team.sandbox.Run(
        "bob", {"sh", "-c",
                how == "am" ? "git format-patch -q --stdout origin/main..open | git am -q"
                            : "git -c merge.directoryRenames=false merge -q --no-edit open"});
    INFO(joined.err);
    REQUIRE(joined.status == 0);
    REQUIRE(team.sandbox.Exists("bob/" + old));
    const std::string fix = "git mv " + old + " src/revs.pending/SR_OPEN.yaml";
    CHECK_THAT(team.Revctl("bob", {"check"}).out,
               Contains(old + ": error[RV029]: ") && Contains("fix: " + fix + "\n"));
    const auto refused =
        team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK(refused.status != 0);
    CHECK_THAT(refused.err, Contains(old + ": error[RV029]: "));
    REQUIRE(team.sandbox.Run("bob", {"sh", "-c", fix}).status == 0);
    CHECK(Rules(team, "bob").find("error") == std::string::npos);
  }
  team.sandbox.CommitAll("bob", "beside its list");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  CHECK(team.Revctl("ann", {"fold", "--push"}).out == "SR_OPEN = 3\n");
}

TEST_CASE("fold: the pending folder is a file, link or submodule", "[landing][fold]") {
  const LandingTeam team({"ann"});
  const std::string place = "src/master_version_list.pending";
  const std::filesystem::path hook = team.sandbox.Path("srv/game.git/hooks/pre-receive");
  for (const std::string mode : {"100644", "120000", "160000"}) {
    INFO(mode);
    team.sandbox.Git("ann", {"checkout", "-q", "-f", "-B", "bad", "origin/main"});
    team.sandbox.Git("ann", {"rm", "-rq", place});
    const std::string object = mode == "160000"
                                   ? team.sandbox.Git("ann", {"rev-parse", "HEAD"})
                                   : team.sandbox.Git("ann", {"hash-object", "-w", Team::kList});
    team.sandbox.Git("ann",
                     {"update-index", "--add", "--cacheinfo", mode + "," + object + "," + place});
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "bad"});
    const auto judged = team.Revctl("ann", {"check", "--head", "HEAD"});
    INFO(judged.out << judged.err);
    CHECK(judged.status == 1);
    CHECK_THAT(judged.out, Contains(place + ": error[RV029]: "));
    const auto refused =
        team.sandbox.TryGit("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK(refused.status != 0);
    // Bypass the gate. The fold must not claim that there is nothing to fold.
    std::filesystem::rename(hook, hook.string() + ".off");
    const std::string good = team.sandbox.Git("ann", {"rev-parse", "origin/main"});
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    std::filesystem::rename(hook.string() + ".off", hook);
    const auto fold = team.Revctl("ann", {"fold", "--push"});
    CHECK(fold.status == 2);
    const std::string fix =
        std::string("git rm -f ") + (mode == "160000" ? "--cached " : "") + place;
    CHECK_THAT(fold.err, Contains("a folder for pending revisions") && Contains("fix: " + fix));
    // The printed fix works, and the repaired change lands.
    REQUIRE(team.sandbox.Run("ann", {"sh", "-c", fix}).status == 0);
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "fixed"});
    team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    CHECK(team.Revctl("ann", {"fold", "--push"}).status == 0);
    std::filesystem::rename(hook, hook.string() + ".off");
    team.sandbox.Git("ann", {"push", "-q", "-f", "--no-verify", "origin", good + ":main"});
    std::filesystem::rename(hook.string() + ".off", hook);
    team.sandbox.Git("ann", {"fetch", "-q"});
  }
}

TEST_CASE("fold: the printed commands remove files that are not pending files", "[landing][fold]") {
  const LandingTeam team({"ann"});
  const std::string folder = kFolder;
  struct Row {
    std::string path;
    bool tracked;
    std::string fix;
  };
  for (const Row& row : {Row{"README.md", true, "git rm -f " + folder + "README.md"},
                         Row{"README.md", false, "rm -f " + folder + "README.md"},
                         Row{"sub/f", true, "git rm -rf " + folder + "sub"},
                         Row{"sub/f", false, "rm -rf " + folder + "sub"},
                         Row{"SR_X.yaml/f", true, "git rm -rf " + folder + "SR_X.yaml"}}) {
    INFO(row.fix);
    team.sandbox.Write("ann/" + folder + row.path, "x: 1\n");
    if (row.tracked) team.sandbox.Git("ann", {"add", "-A"});
    const auto bad = team.Revctl("ann", {"check"});
    CHECK(bad.status == 1);
    CHECK_THAT(bad.out, Contains("fix: " + row.fix + ", then run revctl reserve SR_"));
    CHECK_THAT(team.Revctl("ann", {"sync"}).err, Contains("; fix: " + row.fix + ", then"));
    REQUIRE(team.sandbox.Run("ann", {"sh", "-c", row.fix}).status == 0);
    CHECK(Rules(team, "ann") == "");
  }
}

TEST_CASE("fold: a lock left on the server is reported in git's words", "[landing][fold]") {
  const LandingTeam team;
  team.Branch("ann", "one", {"SR_ONE"});
  REQUIRE(team.HostMerges("one").status == 0);
  const std::string lock = "srv/game.git/refs/heads/main.lock";
  team.sandbox.Write(lock, "");
  const auto locked = team.Revctl("bob", {"fold", "--push"});
  INFO(locked.err);
  CHECK(locked.status == 3);
  CHECK_THAT(locked.err,
             Contains("origin cannot update main, although no other push has updated it (") &&
                 Contains("main.lock': File exists"));
  std::filesystem::remove(team.sandbox.Path(lock));
  CHECK_THAT(team.Revctl("bob", {"fold", "--push"}).out, Catch::StartsWith("SR_ONE = 3\n"));
}
