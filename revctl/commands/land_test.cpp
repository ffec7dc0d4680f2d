// land: one command from "done" to "on the target", over a real server.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// A team whose target says how it lands.
struct Landers : Team {
  explicit Landers(const std::string& land) {
    sandbox.Write("ann/.revctl.yaml", std::string(kConfig) + "land: {" + land + "}\n");
    sandbox.Git("ann", {"commit", "-q", "-a", "-m", "how we land"});
    sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
    sandbox.Git("bob", {"pull", "-q"});
  }
  /// A branch of one commit for each revision, that uses it.
  void Branch(const std::string& person, const std::string& branch,
              const std::vector<std::string>& revisions) const {
    sandbox.Git(person, {"checkout", "-q", "-b", branch});
    for (const std::string& name : revisions) {
      const auto reserved = Revctl(person, {"reserve", name});
      if (reserved.status != 0) throw std::runtime_error(reserved.err);
      sandbox.Write(person + "/src/" + name + ".cpp", "ADD(" + name + ", x);\n");
      sandbox.CommitAll(person, name);
    }
  }
  std::string Main(const std::string& what = "main") const {
    return sandbox.Git("srv/game.git", {"rev-parse", what});
  }
  std::string Subjects(const std::string& range, bool first_parent = false) const {
    std::vector<std::string> log = {"log", "--format=%s", "--reverse"};
    if (first_parent) log.push_back("--first-parent");
    log.push_back(range);
    return sandbox.Git("srv/game.git", log);
  }
  std::string HeadOf(const std::string& person) const {
    return sandbox.Git(person, {"rev-parse", "HEAD"});
  }
  bool Clean(const std::string& person) const {
    return sandbox.Git(person, {"status", "--porcelain"}).empty();
  }
};

}  // namespace

TEST_CASE("land: by rebase, behind what another has landed, in the branch's order", "[land]") {
  Landers team("by: rebase, verify: \"echo verified >> ../verified\"");
  team.Branch("ann", "boss", {"SR_BOSS", "SR_BOSS_TWO"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  auto first = team.Revctl("bob", {"land"});
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.out == "landed SR_STAMINA = 5 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(Has(first.err, "verify: echo verified >> ../verified\n"));
  CHECK(team.sandbox.Read("verified") == "verified\n");

  const std::string before = team.Main();
  auto second = team.Revctl("ann", {"land", "--json"});
  INFO(second.err);
  CHECK(second.status == 0);
  const auto json = nlohmann::json::parse(second.out);
  CHECK(json.at("landed") == true);
  CHECK(json.at("branch") == "boss");
  CHECK(json.at("commit") == team.Main());
  CHECK(json.at("revisions").at(1).at("name") == "SR_BOSS_TWO");
  CHECK(json.at("revisions").at(1).at("number") == 7);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=5 SR_BOSS=6 SR_BOSS_TWO=7");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Subjects(before + "..main") == "SR_BOSS\nSR_BOSS_TWO");
  CHECK(team.Clean("ann"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Nothing is left to land; a branch without a revision lands as well.
  CHECK(Has(team.Revctl("ann", {"land"}).out, "nothing to land: origin/main has all of boss"));
  team.sandbox.Write("ann/README", "words\n");
  team.sandbox.CommitAll("ann", "words");
  CHECK(Has(team.Revctl("ann", {"land", "-q"}).out, "landed boss on origin/main at "));
}

TEST_CASE("land: by merge, the target's own history is one commit for each landing", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS", "SR_BOSS_TWO"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  const std::string before = team.Main();
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(landed.out == "landed SR_BOSS = 6, SR_BOSS_TWO = 7 on origin/main at " +
                          team.Main().substr(0, 10) + "\n");
  CHECK(team.Subjects(before + "..main", true) == "Merge branch 'stamina'\nMerge branch 'boss'");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Clean("ann"));
  CHECK(team.Main("main^{tree}") == team.sandbox.Git("ann", {"write-tree"}));
}

TEST_CASE("land: a race that is lost is run again; verified again where what is built changed",
          "[land]") {
  // `verify` lets bob land once: he was faster.
  Landers team("by: rebase, verify: \"echo run >> ../runs; sh ../race\"");
  team.sandbox.Write("race",
                     "[ -e ../now ] || exit 0\nrm ../now\n"
                     "cd ../bob && git push -q --no-verify origin HEAD:main\n");
  team.sandbox.Write("bob/docs/page.md", "a page\n");
  team.sandbox.Write("bob/.gitattributes",
                     team.sandbox.Read("bob/.gitattributes") + "docs/** linguist-documentation\n");
  team.sandbox.CommitAll("bob", "what is documentation");
  team.sandbox.Git("bob", {"push", "-q", "origin", "HEAD:main"});

  team.Branch("ann", "boss", {"SR_BOSS"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  team.sandbox.Write("now", "");
  auto code = team.Revctl("ann", {"land"});
  INFO(code.err);
  CHECK(code.status == 0);
  CHECK(Has(code.err, "origin/main has moved: again\n"));
  CHECK(team.sandbox.Read("runs") == "run\nrun\n");
  CHECK(team.Subjects("main~2..main") == "SR_STAMINA\nSR_BOSS");
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=4 SR_BOSS=5");

  // Only documentation, as the target says and not the branch: what was verified holds.
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "page", "origin/main"});
  team.sandbox.Write("bob/docs/page.md", "a better page\n");
  team.sandbox.CommitAll("bob", "page");
  team.sandbox.Write("ann/src/more.cpp", "int more;\n");
  team.sandbox.CommitAll("ann", "more");
  team.sandbox.Write("now", "");
  auto page = team.Revctl("ann", {"land"});
  INFO(page.err);
  CHECK(page.status == 0);
  CHECK(Has(page.err, "not verified again: since then only documentation changed (docs/page.md)"));
  CHECK(team.sandbox.Read("runs") == "run\nrun\nrun\n");

  // A branch's own attributes leave nothing out.
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "code", "origin/main"});
  team.sandbox.Write("bob/src/code.cpp", "int code;\n");
  team.sandbox.CommitAll("bob", "code");
  team.sandbox.Write("ann/.gitattributes",
                     "/src/master_version_list.h merge=revctl\n"
                     "*.cpp linguist-documentation\n");
  team.sandbox.CommitAll("ann", "all is documentation");
  team.sandbox.Write("now", "");
  auto hidden = team.Revctl("ann", {"land"});
  INFO(hidden.err);
  CHECK(hidden.status == 0);
  CHECK(team.sandbox.Read("runs") == "run\nrun\nrun\nrun\nrun\n");
}

TEST_CASE("land: a conflict in code stops it; --abort takes all back, --continue goes on",
          "[land]") {
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
  CHECK(Has(stopped.err,
            "in src/shared.cpp\nfix: mend and git add them, then revctl land "
            "--continue; revctl land --abort takes all of it back"));
  CHECK(team.Revctl("ann", {"land"}).status == 2);
  CHECK(team.Revctl("ann", {"land", "--continue"}).status == 1);  // nothing is mended yet

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
  CHECK(done.out == "landed SR_BOSS = 5 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(team.sandbox.Git("srv/game.git", {"show", "main:src/shared.cpp"}) == "int of_both;");
  CHECK(team.Clean("ann"));
}

TEST_CASE("land: killed at any point it can be run again", "[land]") {
  const std::string by = GENERATE("rebase", "merge");
  INFO(by);
  Landers team("by: " + by + ", verify: \"sh ../kill verify $PPID\"");
  // Kills revctl, and git between it and the hook, once.
  team.sandbox.Write(
      "kill",
      "[ \"$(cat \"$(dirname \"$0\")/at\" 2>/dev/null)\" = \"$1\" ] || exit 0\n"
      "rm \"$(dirname \"$0\")/at\"\nparent=$2\nshift 2\n"
      "for also; do parent=\"$parent $(awk '{print $4}' /proc/${parent##* }/stat)\"; "
      "done\nkill -9 $parent\n");
  auto hook = [&](const std::string& name, const std::string& condition) {
    const std::string file = "ann/.git/hooks/" + name;
    team.sandbox.Write(file, "#!/bin/sh\n" + condition + "exec sh '" + team.sandbox.Path("kill") +
                                 "' " + name + " $PPID parent\n");
    std::filesystem::permissions(team.sandbox.Path(file), std::filesystem::perms::owner_all);
  };
  hook("post-checkout", "");
  hook("prepare-commit-msg", "");
  hook("pre-commit", "");
  hook("pre-push", "");
  hook("reference-transaction",
       "[ \"$1\" = committed ] && grep -q refs/remotes/origin/main || exit 0\n"
       "grep -q . ../pushing 2>/dev/null || exit 0\n");
  // A number that another has: renumber writes the list, and land commits it.
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
    // What a killed git leaves behind is git's, and a person removes it as git tells them.
    std::filesystem::remove(team.sandbox.Path("ann/.git/index.lock"));
    std::filesystem::remove(team.sandbox.Path("ann/.git/HEAD.lock"));
  }
  auto done = team.Revctl("ann", {"land"});
  INFO(done.err);
  CHECK(done.status == 0);
  CHECK(done.out == "landed SR_BOSS = 4 on origin/main at " + team.Main().substr(0, 10) + "\n");
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.Clean("ann"));
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Nothing twice: the driver gave the number behind ann's own reservation, and land confirmed
  // that.
  CHECK(team.Subjects(bobs + "..main", true) ==
        (by == "rebase" ? "boss\nNumbers for landing" : "Merge branch 'boss'"));
}

TEST_CASE("land: a pull request's branch is prepared, and forced with a lease alone", "[land]") {
  Landers team("by: rebase, push: branch");
  team.Branch("ann", "boss", {"SR_BOSS"});
  const std::string before = team.Main();
  auto first = team.Revctl("ann", {"land"});
  INFO(first.err);
  CHECK(first.status == 0);
  CHECK(first.out == "pushed SR_BOSS = 3 on origin/boss at " + team.Main("boss").substr(0, 10) +
                         ": ready to be merged into origin/main\n");
  CHECK(team.Main() == before);
  // Another lands; the rebased branch replaces the one that is there.
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  auto second = team.Revctl("ann", {"land"});
  INFO(second.err);
  CHECK(second.status == 0);
  CHECK(Has(second.err, "pushing origin/boss (--force-with-lease)"));
  CHECK(team.Main("boss") == team.HeadOf("ann"));
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=4 SR_BOSS=5");
  CHECK(team.Main() == team.HeadOf("bob"));
  // A colleague's commit there is never overwritten.
  team.sandbox.Git("bob", {"fetch", "-q"});
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "boss", "origin/boss"});
  team.sandbox.Write("bob/src/help.cpp", "int help;\n");
  team.sandbox.CommitAll("bob", "help");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "boss"});
  const std::string theirs = team.Main("boss");
  team.sandbox.Write("ann/src/own.cpp", "int own;\n");
  team.sandbox.CommitAll("ann", "own");
  auto refused = team.Revctl("ann", {"land"});
  CHECK(refused.status == 1);
  CHECK(Has(refused.err, "origin/boss has commits that boss never had: they would be lost"));
  team.sandbox.Git("ann", {"fetch", "-q"});  // nor when this clone has seen it
  CHECK(team.Revctl("ann", {"land"}).status == 1);
  CHECK(team.Main("boss") == theirs);
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  team.sandbox.Write("ann/src/own.cpp", "int own;\n");
  team.sandbox.CommitAll("ann", "own");
  auto on_main = team.Revctl("ann", {"land"});
  CHECK(on_main.status == 2);
  CHECK(Has(on_main.err, "fix: git switch -c NAME"));
}

TEST_CASE("land: the commands are the target's, and what fails them does not land", "[land]") {
  Landers team("by: rebase, verify: \"env >> ../environment; sh ../verdict\"");
  team.sandbox.Write("verdict", "exit 3\n");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.sandbox.Write("ann/.revctl.yaml",
                     std::string(Team::kConfig) + "land: {verify: \"touch ../branch-ran\"}\n");
  team.sandbox.CommitAll("ann", "another verify");
  const std::string before = team.Main(), head = team.HeadOf("ann");
  // As from an alias or a hook of git's.
  auto failed = team.Revctl("ann", {"land"}, {"GIT_PREFIX=src/"});
  INFO(failed.err);
  CHECK(failed.status == 1);
  CHECK(Has(failed.err,
            "`verify` of origin/main failed (exit 3), and nothing was pushed\nfix: mend it and "
            "commit, then revctl land; revctl land --abort takes boss back to " +
                head.substr(0, 10)));
  CHECK(team.Main() == before);
  CHECK_FALSE(Has(team.sandbox.Read("environment"), "\nGIT_PREFIX="));
  CHECK_FALSE(Has(team.sandbox.Read("environment"), "\nGIT_LITERAL_PATHSPECS="));
  CHECK(Has(team.sandbox.Read("environment"), "GIT_CONFIG_GLOBAL="));
  // One that changes what it verifies proves nothing of it.
  team.sandbox.Write("verdict", "echo more >> src/SR_BOSS.cpp\n");
  auto changed = team.Revctl("ann", {"land"});
  CHECK(changed.status == 1);
  CHECK(Has(changed.err, "`verify` changed what it verified: src/SR_BOSS.cpp"));
  CHECK(team.Main() == before);
  team.sandbox.Git("ann", {"checkout", "-q", "--", "."});
  // The gate refuses: findings on stdout, as `check` gives them.
  team.sandbox.Write("verdict", "exit 0\n");
  std::string text = team.List("ann");
  text.replace(text.find("SR_FOULS=2"), 10, "SR_FOULX=2");
  team.sandbox.Write("ann/" + std::string(Team::kList), text);
  team.sandbox.CommitAll("ann", "landed one renamed");
  auto refused = team.Revctl("ann", {"land", "--json"});
  INFO(refused.out << refused.err);
  CHECK(refused.status == 1);
  CHECK(Has(refused.out, "\"RV005\""));
  CHECK_FALSE(Has(refused.err, "SR_FOULX"));  // no number is taken for it
  CHECK(team.Main() == before);
  team.sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~"});
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.err, "RV024"));  // said, and no reason to stop
  CHECK_FALSE(team.sandbox.Exists("branch-ran"));
}

TEST_CASE("land: --dry-run says what it would do and changes nothing", "[land]") {
  Landers team("by: rebase, verify: make test");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.Branch("bob", "stamina", {"SR_STAMINA"});
  for (const std::string person : {"ann", "bob"}) {
    team.sandbox.Write(person + "/src/shared.cpp", "int of_" + person + ";\n");
    team.sandbox.CommitAll(person, "shared");
  }
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  const std::string files = team.sandbox.Snapshot("ann"), head = team.HeadOf("ann"),
                    server = team.sandbox.Git("srv/game.git", {"for-each-ref"});
  auto planned = team.Revctl("ann", {"land", "--dry-run"});
  INFO(planned.err);
  CHECK(planned.status == 0);
  CHECK(planned.out == "would rebase boss onto origin/main at " + team.Main().substr(0, 10) +
                           "; expect conflicts in src/shared.cpp\nwould number SR_BOSS 3 -> 5\n"
                           "would check\nwould run verify: make test\n"
                           "would push to origin/main\n");
  CHECK(nlohmann::json::parse(team.Revctl("ann", {"land", "--dry-run", "--json"}).out)
            .at("steps")
            .size() == 5);
  CHECK(team.sandbox.Snapshot("ann") == files);
  CHECK(team.HeadOf("ann") == head);
  CHECK(team.Clean("ann"));
  CHECK(team.sandbox.Git("srv/game.git", {"for-each-ref"}) == server);
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
}

TEST_CASE("land: what it refuses, and how to go on", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS"});
  auto refused = [&](const std::string& why, const std::string& how,
                     std::vector<std::string> options = {}) {
    options.insert(options.begin(), "land");
    const std::string before = team.sandbox.Snapshot("ann");
    auto run = team.Revctl("ann", options);
    INFO(run.out << run.err);
    CHECK(run.status == 2);
    CHECK(Has(run.err, why));
    CHECK(Has(run.err, "fix: " + how));
    CHECK(team.sandbox.Snapshot("ann") == before);
  };
  const std::string server = team.sandbox.Git("srv/game.git", {"for-each-ref"});
  team.sandbox.Write("ann/src/SR_BOSS.cpp", "changed\n");
  refused("what is not committed does not land: src/SR_BOSS.cpp", "git commit or git stash");
  team.sandbox.Git("ann", {"add", "-A"});
  refused("what is not committed does not land: src/SR_BOSS.cpp", "git commit or git stash");
  team.sandbox.Git("ann", {"reset", "-q", "--hard"});
  team.sandbox.Git("ann", {"checkout", "-q", "--detach"});
  refused("HEAD is detached", "git switch -c NAME, then revctl land");
  team.sandbox.Git("ann", {"checkout", "-q", "boss"});
  team.sandbox.Write("ann/.git/MERGE_HEAD", team.HeadOf("ann") + "\n");
  refused("a merge is going on in this work tree", "end it first: git merge --continue");
  std::filesystem::remove(team.sandbox.Path("ann/.git/MERGE_HEAD"));
  refused("--by rebase, or --by merge", "revctl land --help", {"--by", "squash"});
  refused("--continue and --abort contradict", "leave one of them out", {"--continue", "--abort"});
  refused("a branch lands with all its lists", "leave --list out", {"--list", "main"});
  team.sandbox.Write("ann/.git/revctl-land", "revctl-land 1\nstart ../../etc\n");
  CHECK(team.Revctl("ann", {"land"}).status == 3);
  std::filesystem::remove(team.sandbox.Path("ann/.git/revctl-land"));
  CHECK(team.sandbox.Git("srv/game.git", {"for-each-ref"}) == server);

  // Untracked files are fine, unless the target has them.
  team.sandbox.Write("bob/src/new.cpp", "int there;\n");
  team.sandbox.CommitAll("bob", "new");
  team.sandbox.Git("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  team.sandbox.Write("ann/src/new.cpp", "int here;\n");
  team.sandbox.Write("ann/notes", "mine\n");
  auto in_the_way = team.Revctl("ann", {"land"});
  CHECK(in_the_way.status == 3);
  CHECK(Has(in_the_way.err, "src/new.cpp"));
  CHECK(team.sandbox.Read("ann/src/new.cpp") == "int here;\n");
  std::filesystem::remove(team.sandbox.Path("ann/src/new.cpp"));
  // The target's own branch may be the one in the work tree.
  team.sandbox.Git("ann", {"branch", "-q", "-f", "main"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(team.HeadOf("ann") == team.Main());
  CHECK(team.sandbox.Read("ann/notes") == "mine\n");
}

TEST_CASE("land: alone, in a folder, and in a work tree of its own", "[land]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const std::string list = "games/pong/src/master_version_list.h";
  sandbox.Write("r/" + list, Team::kListText);
  sandbox.Write("r/games/pong/.revctl.yaml",
                std::string(Team::kConfig) + "land: {by: merge, verify: \"test -d src\"}\n");
  sandbox.CommitAll("r", "first");
  sandbox.Git("r", {"worktree", "add", "-q", "-b", "boss", "../boss"});
  REQUIRE(sandbox.Revctl("boss/games/pong", {"reserve", "SR_BOSS"}).status == 0);
  sandbox.Write("boss/games/pong/src/a.cpp", "ADD(SR_BOSS, x);\n");
  sandbox.CommitAll("boss", "boss");
  // Its files would be left behind.
  auto refused = sandbox.Revctl("boss/games/pong", {"land"});
  CHECK(refused.status == 2);
  CHECK(Has(refused.err, "main is checked out in " + sandbox.Path("r")));
  sandbox.Git("r", {"checkout", "-q", "--detach"});
  auto landed = sandbox.Revctl("boss/games/pong", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(landed.out == "landed SR_BOSS = 3 on main at " +
                          sandbox.Git("r", {"rev-parse", "main"}).substr(0, 10) + "\n");
  CHECK(sandbox.Git("r", {"show", "main:" + list}).find("SR_BOSS=3") != std::string::npos);
  CHECK(sandbox.Git("boss", {"status", "--porcelain"}).empty());
  CHECK(Has(sandbox.Revctl("boss/games/pong", {"land"}).out, "nothing to land"));
}

TEST_CASE("land: goldens are recorded again exactly when RV028 says so", "[land]") {
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
  // As `record --refresh-pending` does; and what else it changes is refused.
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
  CHECK_FALSE(team.sandbox.Exists("runs"));  // nothing has landed since
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
  CHECK(Has(team.Subjects("main~1..main"), "Goldens recorded again for landing"));
  CHECK(Has(team.sandbox.Git("srv/game.git", {"show", "main:golden/SR_BOSS.yaml"}),
            "previous: SR_STAMINA"));
  // Another type: nothing is shared, nothing runs, though a number moves.
  team.sandbox.Git("bob", {"checkout", "-q", "-B", "song", team.HeadOf("bob")});
  team.Branch("bob", "music", {"SR_SONG"});
  record("bob", "SR_SONG", "SR_STAMINA", "Song");
  team.sandbox.CommitAll("bob", "recorded");
  CHECK(team.Revctl("bob", {"land"}).status == 0);
  CHECK(team.sandbox.Read("runs") == "run\nrun\n");
}

TEST_CASE("land: a race that cannot be won ends, and merges do not pile up", "[land]") {
  Landers team("by: merge, verify: sh ../faster");
  // Another lands while this one verifies: each time, or as often as the file says.
  team.sandbox.Write("faster",
                     "[ -s ../left ] || exit 0\nsed -i 1d ../left\ncd ../bob && echo >> src/b.cpp "
                     "&& git add -A && git commit -q -m faster && git push -q --no-verify origin "
                     "HEAD:main\n");
  team.sandbox.Write("left", std::string(200, '\n'));
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
  std::string text = team.List("ann");
  text.insert(text.rfind("};"), "    SR_BOSS=3,\n");
  team.sandbox.Write("ann/" + std::string(Team::kList), text);
  team.sandbox.CommitAll("ann", "boss");
  const std::string head = team.HeadOf("ann");
  const auto lost = team.Revctl("ann", {"land"}, {"REVCTL_PATIENCE=1"});
  INFO(lost.err);
  CHECK(lost.status == 4);
  CHECK(Has(lost.err, "others landed on origin/main first, "));
  CHECK(Has(lost.err, "nothing was pushed\nfix: revctl land again"));
  CHECK(team.sandbox.Git("ann", {"rev-list", "--count", "--merges", head + "..HEAD"}) <= "1");
  CHECK(team.Clean("ann"));
  team.sandbox.Write("left", "\n\n");
  const auto landed = team.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  // Its own merge of the target, one left by the landing that gave up, and what lands.
  CHECK(team.sandbox.Git("ann", {"rev-list", "--count", "--merges", head + "..HEAD"}) <= "3");
}

TEST_CASE("land: several lists, and a colleague's reservation, in one landing", "[land]") {
  Landers team("by: rebase");
  team.sandbox.Write("ann/src/net.h", "enum Net {\n  NET_ONE=1,\n};\n");
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists:\n  - {path: src/master_version_list.h, name: main}\n"
                     "  - {path: src/net.h, name: net, prefix: NET_}\nland: {by: rebase}\n");
  team.Land("ann");
  team.sandbox.Git("bob", {"pull", "-q"});
  const auto reserve = [&](const std::string& who, const std::string& list,
                           const std::string& name) {
    const auto run = team.Revctl(who, {"--list", list, "reserve", name});
    INFO(run.err);
    CHECK(run.status == 0);
  };
  // ann stands on bob's branch, whose revision is reserved by bob.
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "base"});
  reserve("bob", "main", "SR_BASE");
  team.sandbox.CommitAll("bob", "base");
  team.sandbox.Git("bob", {"push", "-q", "origin", "base"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "--no-track", "-b", "top", "origin/base"});
  reserve("ann", "main", "SR_TOP");
  reserve("ann", "net", "NET_TWO");
  team.sandbox.CommitAll("ann", "top");
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "first", "origin/main"});
  reserve("bob", "main", "SR_FIRST");
  reserve("bob", "net", "NET_FIRST");
  team.sandbox.CommitAll("bob", "first");
  REQUIRE(team.Revctl("bob", {"land"}).status == 0);
  const auto landed = team.Revctl("ann", {"land", "--json"});
  INFO(landed.out << landed.err);
  CHECK(landed.status == 0);
  std::string revisions;
  const auto json = nlohmann::json::parse(landed.out);
  for (const auto& one : json.at("revisions"))
    revisions += one.at("list").get<std::string>() + " " + one.at("name").get<std::string>() + "=" +
                 std::to_string(one.at("number").get<int>()) + " ";
  CHECK(revisions == "main SR_BASE=6 main SR_TOP=7 net NET_TWO=4 ");
  CHECK(Has(landed.err, "SR_BASE stays reserved by bob"));
}

TEST_CASE("land: a lock that a killed git left is named, with its mend", "[land]") {
  Landers team("by: merge");
  team.Branch("ann", "boss", {"SR_BOSS"});
  team.sandbox.Write("ann/.git/index.lock", "");
  const auto refused = team.Revctl("ann", {"land"});
  CHECK(refused.status == 3);
  const std::string lock = "'" + team.sandbox.Path("ann/.git/index.lock") + "'";
  INFO(refused.err);
  CHECK(Has(refused.err, "another git is at work in this work tree, or was killed: " + lock));
  const std::size_t fix = refused.err.find("rm '");
  REQUIRE(fix != std::string::npos);
  const std::string command = refused.err.substr(fix, refused.err.find(", then") - fix);
  CHECK(team.sandbox.Run(".", {"sh", "-c", command}).status == 0);
  CHECK(team.Revctl("ann", {"land"}).status == 0);
}

TEST_CASE("land: in a sha256 repository", "[land]") {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.Path("srv"));
  sandbox.Git("srv", {"init", "-q", "--bare", "--object-format=sha256", "-b", "main", "game.git"});
  std::filesystem::create_directories(sandbox.Path("ann"));
  sandbox.Git("ann", {"init", "-q", "--object-format=sha256", "-b", "main"});
  sandbox.Git("ann", {"config", "user.name", "ann"});
  sandbox.Git("ann", {"config", "user.email", "ann@studio.example"});
  sandbox.Git("ann", {"remote", "add", "origin", sandbox.Path("srv/game.git")});
  sandbox.Write("ann/" + std::string(Team::kList), Team::kListText);
  sandbox.Write("ann/.revctl.yaml", std::string(Team::kConfig) + "land: {by: merge}\n");
  sandbox.CommitAll("ann", "first");
  sandbox.Git("ann", {"push", "-q", "-u", "origin", "main"});
  sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
  REQUIRE(sandbox.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  sandbox.CommitAll("ann", "boss");
  const auto landed = sandbox.Revctl("ann", {"land"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.out, "landed SR_BOSS = 3 on origin/main at "));
  CHECK(sandbox.Git("srv/game.git", {"rev-parse", "main"}).size() == 64);
}
