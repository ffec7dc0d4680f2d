// Tests `land` when it stops: which changes it undoes, and which files a dry run leaves alone.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

namespace {

/// A team in which Ann's branch contains SR_BOSS. Bob has landed SR_STAMINA since that branch
/// began.
struct Behind : Team {
  std::string start;

  explicit Behind(const std::string& land) {
    sandbox.Write("ann/.revctl.yaml", std::string(kConfig) + "land: {" + land + "}\n");
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
    sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
    REQUIRE(Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, x);\n");
    sandbox.CommitAll("ann", "boss");
    start = HeadOfAnn();
    REQUIRE(Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
    Land("bob");
  }
  std::string HeadOfAnn() const { return sandbox.Git("ann", {"rev-parse", "HEAD"}); }
  bool Clean() const { return sandbox.Git("ann", {"status", "--porcelain"}).empty(); }
};

}  // namespace

TEST_CASE("land: --abort undoes the join and the numbers", "[land]") {
  const std::string by = GENERATE("merge", "rebase");
  const Behind team("by: " + by + ", verify: \"false\"");
  const auto stopped = team.Revctl("ann", {"land"});
  INFO(stopped.out << stopped.err);
  CHECK(stopped.status == 1);
  CHECK(Has(stopped.err, "revctl land --abort resets boss to " + team.start.substr(0, 10)));
  const std::string joined = team.HeadOfAnn();
  CHECK(joined != team.start);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=4 SR_BOSS=5");
  // A commit made after the landing stopped must not be lost.
  team.sandbox.Write("ann/src/more.cpp", "int more;\n");
  team.sandbox.CommitAll("ann", "more");
  const auto moved = team.Revctl("ann", {"land", "--abort"});
  CHECK(moved.status == 2);
  CHECK(Has(moved.err, "boss has moved since the landing stopped, so it was not reset"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", joined});
  const auto aborted = team.Revctl("ann", {"land", "--abort"});
  INFO(aborted.err);
  CHECK(aborted.status == 0);
  CHECK(team.HeadOfAnn() == team.start);
  CHECK(team.Clean());
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3");
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  CHECK(Has(team.Revctl("ann", {"land", "--abort"}).err, "no landing to abort"));
}

TEST_CASE("land: --continue stops again while a conflict is left", "[land]") {
  const std::string by = GENERATE("merge", "rebase");
  const Behind team("by: " + by);
  team.sandbox.Write("bob/src/boss.cpp", "int bobs;\n");
  team.Land("bob");
  CHECK(team.Revctl("ann", {"land"}).status == 1);
  CHECK(Has(team.Revctl("ann", {"land"}).err, "the landing of boss has stopped at a conflict"));
  const auto again = team.Revctl("ann", {"land", "--continue"});
  INFO(again.err);
  CHECK(again.status == 1);
  CHECK(Has(again.err, "conflict with origin/main"));
  CHECK(Has(again.err, "in src/boss.cpp"));
  team.sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, x);\nint bobs;\n");
  team.sandbox.Git("ann", {"add", "src/boss.cpp"});
  const auto landed = team.Revctl("ann", {"land", "--continue"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.out, "landed SR_BOSS = 5 on origin/main"));
  CHECK(Has(team.Revctl("ann", {"land", "--continue"}).err, "no stopped landing"));
}

TEST_CASE("land: a dry run changes nothing, even if it fails", "[land]") {
  const Behind team("by: merge, push: branch");
  team.sandbox.Git("ann", {"branch", "-q", "-f", "main", "boss"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  const auto failed = team.Revctl("ann", {"land", "--dry-run"});
  INFO(failed.err);
  CHECK(failed.status == 2);
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Simulate a landing that was killed while it was writing numbers.
  team.sandbox.Git("ann", {"checkout", "-q", "boss"});
  team.sandbox.Write("ann/.git/revctl-land", "revctl-land 1\nbranch boss\nstart " + team.start +
                                                 "\nhead " + team.start + "\nphase numbers\n");
  std::string text = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     text.replace(text.find("SR_BOSS=3"), 9, "SR_BOSS=5"));
  const std::string before = team.sandbox.Snapshot("ann");
  const auto planned = team.Revctl("ann", {"land", "--dry-run"});
  INFO(planned.out << planned.err);
  CHECK(planned.status == 2);
  CHECK(Has(planned.err, "uncommitted changes would not land: src/master_version_list.h"));
  CHECK(team.sandbox.Snapshot("ann") == before);
  CHECK(team.sandbox.Git("ann", {"stash", "list"}).empty());
  CHECK(Has(team.sandbox.Read("ann/.git/revctl-land"), "phase numbers"));
}

TEST_CASE("land: leftover files of a killed join do not stop the next one", "[land]") {
  const std::string by = GENERATE("merge", "rebase");
  INFO(by);
  const Behind team("by: " + by);
  const auto& sandbox = team.sandbox;
  sandbox.Write("bob/src/stamina.cpp", "int stamina;\n");
  team.Land("bob");
  sandbox.Git("ann", {"fetch", "-q"});
  sandbox.Write("ann/.git/revctl-land", "revctl-land 1\nbranch boss\nstart " + team.start +
                                            "\nhead " + team.start + "\ntarget " +
                                            sandbox.Git("ann", {"rev-parse", "origin/main"}) +
                                            "\nphase joining\n");
  sandbox.Write("ann/notes", "int stamina;\n");  // the target has no such file
  std::string written = "int sta";
  bool lands = true;
  SECTION("killed before git had recorded any file") {}
  SECTION("killed after git had changed other files") {
    sandbox.Write(std::string("ann/") + Team::kList, team.List("bob"));
  }
  SECTION("a leftover file with text that is not on the target") {
    written = "int stamina; // mine\n";
    lands = false;
  }
  sandbox.Write("ann/src/stamina.cpp", written);
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(sandbox.Read("ann/notes") == "int stamina;\n");
  if (!lands) {
    CHECK(landed.status == 3);
    CHECK(Has(landed.err, "src/stamina.cpp"));
    CHECK(sandbox.Read("ann/src/stamina.cpp") == written);
    return;
  }
  CHECK(landed.status == 0);
  CHECK(sandbox.Read("ann/src/stamina.cpp") == "int stamina;\n");
}

TEST_CASE("land: stops at a code conflict, then --abort or --continue", "[land]") {
  const std::string by = GENERATE("rebase", "merge");
  INFO(by);
  Landers team("by: " + by);
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  for (const std::string person : {"ann", "bob"}) {
    team.sandbox.Write(person + "/src/shared.cpp", "int of_" + person + ";\n");
    team.sandbox.CommitAll(person, "shared of " + person);
  }
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  const std::string start = team.HeadOf("ann"), landed = team.Main();
  auto stopped = team.Revctl("ann", {"land"});
  INFO(stopped.err);
  CHECK(stopped.status == 1);
  CHECK(stopped.out.empty());
  CHECK(Has(stopped.err, "conflict with origin/main"));
  CHECK(Has(
      stopped.err,
      "in src/shared.cpp\nfix: resolve the conflicts and git add the files, then run revctl land "
      "--continue (or undo everything with revctl land --abort)"));
  CHECK(team.Revctl("ann", {"land"}).status == 2);
  CHECK(team.Revctl("ann", {"land", "--continue"}).status ==
        1);  // the conflict has not been resolved yet

  CHECK(team.Revctl("ann", {"land", "--abort"}).status == 0);
  CHECK(team.HeadOf("ann") == start);
  CHECK(team.sandbox.Git("ann", {"symbolic-ref", "HEAD"}) == "refs/heads/boss");
  CHECK(team.Clean("ann"));
  CHECK(team.Revctl("ann", {"land", "--abort"}).status == 2);
  CHECK(team.Revctl("ann", {"land", "--continue"}).status == 2);

  REQUIRE(team.Revctl("ann", {"land"}).status == 1);
  team.sandbox.Write("ann/src/shared.cpp", "int of_both;\n");
  team.sandbox.Git("ann", {"add", "src/shared.cpp"});
  auto done = team.Revctl("ann", {"land", "--continue"});
  INFO(done.err);
  CHECK(done.status == 0);
  CHECK(done.out == "OK: landed SR_BOSS = 5 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(team.sandbox.Git("srv/game.git", {"show", "main:src/shared.cpp"}) == "int of_both;");
  CHECK(team.Clean("ann"));
}

TEST_CASE("land: can be run again after a kill at any point", "[land]") {
  const std::string by = GENERATE("rebase", "merge");
  INFO(by);
  Landers team("by: " + by + ", verify: \"sh ../kill verify $PPID\"");
  // The script kills revctl once, together with the git processes between revctl and the hook.
  team.sandbox.Write(
      "kill",
      "[ \"$(cat \"$(dirname \"$0\")/at\" 2>/dev/null)\" = \"$1\" ] || exit 0\n"
      "rm \"$(dirname \"$0\")/at\"\nparent=$2\nshift 2\n"
      "for also; do parent=\"$parent $(awk '{print $4}' /proc/${parent##* }/stat)\"; "
      "done\nkill -9 $parent\n");
  auto hook = [&](const std::string& name, const std::string& condition) {
    const std::string file = "ann/.git/hooks/" + name;
    team.sandbox.WriteExecutable(file, "#!/bin/sh\n" + condition + "exec sh '" +
                                           team.sandbox.Path("kill") + "' " + name +
                                           " $PPID parent\n");
  };
  hook("post-checkout", "");
  hook("prepare-commit-msg", "");
  hook("pre-commit", "");
  hook("pre-push", "");
  hook("reference-transaction",
       "[ \"$1\" = committed ] && grep -q refs/remotes/origin/main || exit 0\n"
       "grep -q . ../pushing 2>/dev/null || exit 0\n");
  // The number is already taken, so `land` changes the list and commits it.
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
  std::string text = team.List("ann");
  text.insert(text.rfind("};"), "    SR_BOSS=3,\n");
  team.sandbox.Write("ann/" + std::string(Team::kList), text);
  team.sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, x);\n");
  team.sandbox.CommitAll("ann", "boss");
  const std::string bobs = team.HeadOf("bob");
  for (const std::string& point :
       {std::string("pre-commit"),
        std::string(by == "rebase" ? "post-checkout" : "prepare-commit-msg"), std::string("verify"),
        std::string("pre-push"), std::string("reference-transaction")}) {
    INFO(point);
    team.sandbox.Write("at", point + "\n");
    if (point == "reference-transaction") team.sandbox.Write("pushing", "yes\n");
    auto killed = team.Revctl("ann", {"land"});
    INFO(killed.out << killed.err);
    CHECK(killed.status == 128 + 9);
    CHECK_FALSE(team.sandbox.Exists("at"));
    CHECK(team.sandbox.Exists("ann/.git/revctl-land"));
    if (point == "pre-commit")
      team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    if (point != "reference-transaction") CHECK(team.Main() == bobs);
    // Remove the lock files of a killed git, as git advises its users to do.
    std::filesystem::remove(team.sandbox.Path("ann/.git/index.lock"));
    std::filesystem::remove(team.sandbox.Path("ann/.git/HEAD.lock"));
  }
  auto done = team.Revctl("ann", {"land"});
  INFO(done.err);
  CHECK(done.status == 0);
  CHECK(done.out == "OK: landed SR_BOSS = 4 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Clean("ann"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // The resumed landing repeats no commit, because the driver used Ann's own reservation, which
  // `land` confirmed.
  CHECK(team.Subjects(bobs + "..main", true) ==
        (by == "rebase" ? "boss\nAssign numbers for landing" : "Merge branch 'boss'"));
}

TEST_CASE("land: the server goes down during a push and comes back", "[land]") {
  const Landers team("by: merge");
  const auto& sandbox = team.sandbox;
  // Start a separate daemon. If the file `armed` exists, the next push kills the daemon and the
  // connection. The daemon is restarted once the file `down` is gone.
  sandbox.WriteExecutable("fall",
                          "#!/bin/sh\ncd '" + sandbox.root() +
                              "'\n[ $1 = receive-pack ] && [ -e armed ] || exit 0\nrm armed\n"
                              "kill $(cat pid) $PPID\nsleep 1\n");
  const std::string log = sandbox.Path("daemon.log");
  int port = 0;
  const auto daemon = StartOnFreePort("git daemon", log, port, [&](int on) {
    return std::make_unique<ChildProcess>(
        std::vector<std::string>{
            "/bin/sh", "-c",
            "cd '" + sandbox.root() +
                "' && while :; do while [ -e down ]; do sleep 0.05; done; git daemon "
                "--listen=127.0.0.1 --port=" +
                std::to_string(on) +
                " --base-path=srv --export-all --enable=receive-pack --reuseaddr --pid-file=pid "
                "--access-hook=\"'$PWD/fall'\" srv; done"},
        std::vector<std::string>{"GIT_CONFIG_GLOBAL=" + sandbox.Path("gitconfig"),
                                 "GIT_CONFIG_NOSYSTEM=1"},
        log);
  });
  sandbox.MoveOrigin("ann", team.Url(), "git://127.0.0.1:" + std::to_string(port) + "/game.git");
  const auto arm = [&](bool stays_down) {
    sandbox.Write("armed", "");
    if (stays_down) sandbox.Write("down", "");
  };
  const auto up = [&] {
    std::filesystem::remove(sandbox.Path("down"));
    sandbox.Run("ann", {"sh", "-c",
                        "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do git "
                        "ls-remote -q origin && exit; sleep 0.1; done"});
  };
  const auto run = [&](std::vector<std::string> command) {
    return team.Revctl("ann", std::move(command));
  };
  sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});

  // While the server is down, no number is assigned, and the message explains how to continue.
  const std::string list = team.List("ann");
  arm(true);
  for (int i = 0; i < 2; ++i) {
    // REVCTL_PATIENCE=0 makes no difference here, because no other push won the race.
    const auto gone = team.Revctl("ann", {"reserve", "SR_BOSS"}, {"REVCTL_PATIENCE=0"});
    INFO(gone.err);
    CHECK(gone.status == 3);
    CHECK_FALSE(sandbox.Exists("armed"));
    CHECK(Has(gone.err, "remote origin cannot be reached"));
    CHECK(Has(gone.err, "revctl reserve SR_BOSS --offline"));
    CHECK(team.List("ann") == list);
  }
  up();
  CHECK(run({"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  // If the server comes back immediately, `reserve` succeeds on the first or second call.
  arm(false);
  const auto restarted = run({"reserve", "SR_NEXT"});
  INFO(restarted.err);
  CHECK_FALSE(sandbox.Exists("armed"));
  CHECK((restarted.status == 0 || Has(restarted.err, "fix: ")));
  up();
  CHECK(run({"reserve", "SR_NEXT"}).out == "SR_NEXT = 4\n");
  sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, x);\nADD(SR_NEXT, y);\n");
  sandbox.CommitAll("ann", "boss");

  const std::string before = team.Main(), head = team.HeadOf("ann");
  for (const bool stays_down : {true, false}) {
    arm(stays_down);
    const auto stopped = run({"land"});
    INFO(stopped.err);
    CHECK_FALSE(sandbox.Exists("armed"));
    CHECK((stopped.status == 0 || (stopped.status == 3 && Has(stopped.err, "revctl land"))));
    CHECK((!stays_down || stopped.status == 3));
    CHECK((team.Main() == before) == (stopped.status != 0));
    up();
    if (stopped.status == 0) return;
    CHECK(team.HeadOf("ann") == head);
  }
  const auto landed = run({"land"});
  INFO(landed.err);
  CHECK(Has(landed.out, "landed SR_BOSS = 3, SR_NEXT = 4 on origin/main"));
  CHECK(team.Clean("ann"));
}

TEST_CASE("land: fixes a landed line that was removed or renumbered by hand", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS"});
  const std::string path = "ann/" + std::string(Team::kList);
  std::string text = team.List("ann");
  const std::size_t line = text.find("    SR_FOULS=2");
  REQUIRE(line != std::string::npos);
  std::string rule;
  SECTION("removed") {
    rule = "RV003";
    text.erase(line, text.find('\n', line) + 1 - line);
  }
  SECTION("renumbered") {
    rule = "RV004";
    text.replace(line, 14, "    SR_FOULS=7");
  }
  team.sandbox.Write(path, text);
  team.sandbox.CommitAll("ann", "tidied");
  REQUIRE(Has(team.Revctl("ann", {"check"}).out, "error[" + rule + "]"));
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.err, "repaired landed revisions"));
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3");
  CHECK(team.Revctl("ann", {"check"}).status == 0);
}
