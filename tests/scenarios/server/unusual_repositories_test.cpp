// Tests the server's gate with unusual git setups: SHA-256 ids, alternates, grafts, shallow pushes,
// and highly compressed objects that exceed the size limits.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>

#include "tests/scenarios/attacked.h"

using namespace revctl::testing;

namespace {

/// Checks that the server accepts and rejects the same changes as any other protected server.
void CheckGuarded(const Attacked& team) {
  const std::string sound = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  team.EditLanded();
  CHECK(Has(team.PushCommit("landed numbers"), "SR_FOULS"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  team.Policy("target: other\n");
  CHECK(Has(team.PushCommit("another target"), "removes a protection"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
  const std::string event = team.Event(Attacked::kCopy, "high-water 3\n3 SR_BOSS eve <e@x>\n",
                                       "confirm main SR_BOSS 3\n\nRevision: SR_BOSS 3\n");
  CHECK(Has(team.Push({event + ":refs/revctl/ledger"}), "but only a take-over can do that"));
  CHECK(Has(team.Push({":refs/revctl/ledger"}), "must not be deleted"));
  CHECK(team.PushCommit("boss") == "");
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
}

void Identify(const Attacked& team, const std::string& who) {
  team.sandbox.Git(who, {"config", "user.name", who});
  team.sandbox.Git(who, {"config", "user.email", who + "@studio.example"});
}

/// Writes a file of `bytes` zeros, which git compresses to a few kilobytes.
void Zeros(const Attacked& team, const std::string& path, std::uintmax_t bytes) {
  team.sandbox.Write(path, "");
  std::filesystem::resize_file(team.sandbox.Path(path), bytes);
}

}  // namespace

TEST_CASE("unusual server: SHA-256 object ids", "[server]") {
  Attacked team(false);
  for (const char* name : {"ann", "bob", Team::kServer})
    std::filesystem::remove_all(team.sandbox.Path(name));
  team.sandbox.Git("srv",
                   {"init", "-q", "--bare", "-b", "main", "--object-format=sha256", "game.git"});
  team.sandbox.Git(".", {"init", "-q", "-b", "main", "--object-format=sha256", "ann"});
  team.sandbox.Git("ann", {"remote", "add", "origin", team.Url()});
  Identify(team, "ann");
  team.sandbox.Write(std::string("ann/") + Team::kList, Team::kListText);
  team.Policy("");
  REQUIRE(team.PushCommit("first") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"branch", "-q", "--set-upstream-to=origin/main"});
  team.sandbox.Clone(team.Url(), "bob", "bob");
  team.GuardServer();
  const std::string sound = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  team.EditLanded();
  CHECK(Has(team.PushCommit("landed numbers"), "SR_FOULS"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  const auto reserved = team.Revctl("ann", {"reserve", "SR_BOSS"});
  INFO(reserved.err);
  CHECK(reserved.out == "SR_BOSS = 3\n");
  CHECK(Has(team.Push({":refs/revctl/ledger"}), "must not be deleted"));
  CHECK(team.PushCommit("boss") == "");
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
}

TEST_CASE("unusual server: objects are in another repository", "[server]") {
  Attacked team;
  team.sandbox.Git("srv", {"init", "-q", "--bare", "pool.git"});
  std::filesystem::copy(
      team.sandbox.Path("srv/game.git/objects"), team.sandbox.Path("srv/pool.git/objects"),
      std::filesystem::copy_options::recursive | std::filesystem::copy_options::overwrite_existing);
  std::filesystem::remove_all(team.sandbox.Path("srv/game.git/objects"));
  std::filesystem::create_directories(team.sandbox.Path("srv/game.git/objects/info"));
  team.sandbox.Write("srv/game.git/objects/info/alternates",
                     team.sandbox.Path("srv/pool.git/objects") + "\n");
  CheckGuarded(team);
}

TEST_CASE("unusual server: a push from a shallow clone", "[server]") {
  Attacked team;
  team.sandbox.Write("ann/README", "text\n");
  REQUIRE(team.PushCommit("a second commit") == "");
  for (const bool takes : {false, true}) {
    INFO(takes);
    if (takes) team.sandbox.Git(Team::kServer, {"config", "receive.shallowUpdate", "true"});
    std::filesystem::remove_all(team.sandbox.Path("cut"));
    team.sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), "cut"});
    Identify(team, "cut");
    std::string list = team.sandbox.Read(std::string("cut/") + Team::kList);
    list.replace(list.find("SR_FOULS=2"), 10, "SR_FOULS=7");
    team.sandbox.Write(std::string("cut/") + Team::kList, list);
    team.sandbox.CommitAll("cut", "landed numbers");
    const auto bad = team.sandbox.TryGit("cut", {"push", "--no-verify", "origin", "HEAD:main"});
    CHECK(Has(bad.err, "SR_FOULS (2, line 4 on main"));
    team.sandbox.Git("cut", {"reset", "-q", "--hard", "HEAD~"});
    team.sandbox.Write("cut/README", takes ? "two\n" : "one\n");
    team.sandbox.CommitAll("cut", "text");
    const auto good = team.sandbox.TryGit("cut", {"push", "--no-verify", "origin", "HEAD:main"});
    INFO(good.err);
    CHECK(good.status == 0);
    // A truncated history does not descend from the server's main.
    const auto root = team.sandbox.Git("cut", {"commit-tree", "HEAD^{tree}", "-m", "cut"});
    const auto other =
        team.sandbox.TryGit("cut", {"push", "--no-verify", "-f", "origin", root + ":main"});
    INFO(other.err);
    CHECK(other.status == 0);  // accepted, because no landed file has changed
  }
}

// info/grafts is a local file on the server. The gate must also check the history that a graft
// hides.
TEST_CASE("unusual server: a graft cannot hide a landed number", "[server]") {
  Attacked team;
  team.sandbox.Write("ann/README", "text\n");
  REQUIRE(team.PushCommit("a second commit") == "");
  team.sandbox.Write("srv/game.git/info/grafts",
                     team.sandbox.Git("ann", {"rev-parse", "HEAD"}) + "\n");
  CheckGuarded(team);
}

// The files take up only a few kilobytes in a pack. The gate checks an object's size before reading
// it, so even a gigabyte takes no extra time.
TEST_CASE("unusual server: files that unpack to more than the size limit", "[server]") {
  Attacked team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "."});
  const std::string sound = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  constexpr std::uintmax_t kMega = std::uintmax_t{1} << 20;
  Zeros(team, "large", 130 * kMega);
  const std::string blob = team.sandbox.Git("ann", {"hash-object", "-w", "../large"});
  for (const std::string path : {Team::kList, ".revctl.yaml"}) {
    INFO(path);
    team.sandbox.Git("ann", {"update-index", "--cacheinfo", "100644," + blob + "," + path});
    team.sandbox.Git("ann", {"commit", "-q", "--no-verify", "-m", "a large file"});
    CHECK(Has(team.Push({"HEAD:main"}), "bytes; revctl reads at most"));
    team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  }
  team.sandbox.Write("ann/.revctl.yaml",
                     Team::kConfig + std::string("# ") + std::string(3 * kMega, '[') + "\n");
  CHECK(Has(team.PushCommit("a large policy"), "bytes, but at most"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  const std::string head =
      team.sandbox.Git("ann", {"rev-parse", std::string(Attacked::kCopy) + ":ledger"});
  const auto ledger = [&](const std::string& entries) {
    const auto tree = team.sandbox.Run("ann", {"git", "mktree"}, {}, entries);
    return team.sandbox.Git("ann", {"commit-tree", tree.out.substr(0, 40), "-p", Attacked::kCopy,
                                    "-m", "confirm main SR_X 3"});
  };
  CHECK(Has(
      team.Push({ledger("100644 blob " + head + "\tledger\n100644 blob " + blob + "\tlist.main\n") +
                 ":refs/revctl/ledger"}),
      "bytes; revctl reads at most"));
  std::string many = "100644 blob " + head + "\tledger\n";
  for (int i = 0; i < 20000; ++i)
    many += "100644 blob " + head + "\tlist.n" + std::to_string(i) + "\n";
  CHECK(Has(team.Push({ledger(many) + ":refs/revctl/ledger"}), "has 20001 files"));
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
}

// Nine objects form nested folders with a hundred million paths, which git accepts without visiting
// them. The hook may use 60 seconds of CPU time, and a walk over all paths would exceed that.
TEST_CASE("unusual server: nested folders with an exponential number of paths",
          "[.][large][server]") {
  const Attacked team;
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n"
                     "releases: [\"release/*\"]\n");
  REQUIRE(team.PushCommit("goldens") == "");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "."});
  const std::string hook = "srv/game.git/hooks/pre-receive";
  std::string text = team.sandbox.Read(hook);
  team.sandbox.Write(hook, text.insert(text.find("exec"), "ulimit -t 60\n"));
  const auto mktree = [&](const std::string& lines) {
    return team.sandbox.Run("ann", {"git", "mktree"}, {}, lines).out.substr(0, 40);
  };
  std::map<std::string, std::string> bombs;
  const auto bomb = [&](const std::string& leaf) {
    std::string& tree = bombs[leaf];
    if (!tree.empty()) return tree;
    tree = mktree("100644 blob " + team.Blob("version: 1\n") + "\t" + leaf + "\n");
    for (int depth = 0; depth < 8; ++depth) {
      std::string lines;
      for (int i = 0; i < 10; ++i)
        lines += "040000 tree " + tree + "\td" + std::to_string(i) + "\n";
      tree = mktree(lines);
    }
    return tree;
  };
  const auto push = [&](const std::string& base, const std::string& place, const std::string& leaf,
                        const std::string& to) {
    const std::string listed = team.sandbox.Git("ann", {"ls-tree", base}) + "\n";
    const std::string tree = mktree(listed + "040000 tree " + bomb(leaf) + "\t" + place + "\n");
    return team.Push(
        {team.sandbox.Git("ann", {"commit-tree", tree, "-p", base, "-m", "a bomb"}) + ":" + to});
  };
  CHECK(Has(push("HEAD", "golden", "x", "refs/heads/main"), "has too many paths"));
  CHECK(Has(push("HEAD", "other", "x", "refs/heads/release/1"), "has too many paths"));
  CHECK(Has(push("HEAD", "other", ".revctl.yaml", "refs/heads/x"), "files named .revctl.yaml"));
  CHECK(Has(push(Attacked::kCopy, "other", "x", "refs/revctl/ledger"), "not a revctl event"));
  // The push is accepted on a branch that no config protects.
  CHECK(push("HEAD", "other", "x", "refs/heads/x") == "");
  CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  CHECK(team.Revctl("bob", {"status", "--branches"}).status == 0);
}

// Whenever git reads an object for revctl, a process starts, and -v prints a line for each process.
TEST_CASE("unusual server: thousands of projects share one ledger", "[server]") {
  const auto processes = [](int projects) {
    const Attacked team(false);
    REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    team.sandbox.Git("ann", {"checkout", "-q", "."});
    std::string ledger =
        "100644 blob " +
        team.sandbox.Git("ann", {"rev-parse", std::string(Attacked::kCopy) + ":ledger"}) +
        "\tledger\n";
    const std::string list = team.Blob("revctl-ledger-list 1\nhigh-water 2\n");
    for (int i = 0; i < projects; ++i) {
      const std::string number = std::to_string(i), folder = "ann/p" + number + "/";
      team.sandbox.Write(folder + ".revctl.yaml",
                         "version: 1\nlists: [{path: list.h, name: l" + number + "}]\n");
      team.sandbox.Write(folder + "list.h", Team::kListText);
      ledger += "100644 blob " + list + "\tlist.l" + number + "\n";
    }
    const auto tree = team.sandbox.Run("ann", {"git", "mktree"}, {}, ledger);
    const std::string event =
        team.sandbox.Git("ann", {"commit-tree", tree.out.substr(0, 40), "-m", "create\n"});
    REQUIRE(team.Push({"-f", event + ":refs/revctl/ledger"}) == "");
    REQUIRE(team.PushCommit("projects") == "");
    const std::string before = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
    team.sandbox.Write("ann/README", "text\n");
    REQUIRE(team.PushCommit("text", "work") == "");
    const auto judged = team.sandbox.Run(
        Team::kServer, {ProgramPath(), "-v", "pre-receive"}, {"GIT_DIR=.", "GIT_COMMON_DIR=."},
        before + " " + team.sandbox.Git("ann", {"rev-parse", "HEAD"}) + " refs/heads/main\n");
    INFO(judged.err);
    REQUIRE(judged.status == 0);
    return std::count(judged.err.begin(), judged.err.end(), '\n');
  };
  const auto few = processes(2), some = processes(4), many = processes(8);
  INFO(few << " " << some << " " << many);
  CHECK(some > few + 4);
  CHECK(2 * (many - some) < 5 * (some - few));  // the ratio is 2 if the cost is linear
}
