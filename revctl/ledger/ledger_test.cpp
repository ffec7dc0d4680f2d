#include "revctl/ledger/ledger.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <thread>

#include "revctl/ledger/chain.h"
#include "tests/support/must.h"
#include "tests/support/servers.h"

using namespace revctl::ledger;
using revctl::base::Exit;
using revctl::testing::GitDaemon;
using revctl::testing::Must;
using revctl::testing::Sandbox;
namespace git = revctl::git;

namespace {

git::Library libgit2;

/// Returns a plan that assigns `name` the next number unless the name already has a number.
Plan Reserve(const std::string& name, const git::Person& who) {
  return [=](const Snapshot& snapshot) -> revctl::base::Result<std::optional<Change>> {
    State state = snapshot.state;
    ListState& list = state.lists["main"];
    if (list.Find(name) != nullptr) return std::optional<Change>();
    const std::int64_t number = list.high_water.value_or(99) + 1;
    list.Give(name, number, who);
    return std::optional<Change>(
        {state, {Event::Kind::Reserve, "main", {{name, number, std::nullopt}}, ""}});
  };
}

const git::Person kAnn{"Ann", "ann@studio.example"};

/// A bare repository served by a real git daemon, and its clones.
struct Team {
  Sandbox sandbox;
  GitDaemon daemon{sandbox, "srv"};
  Team() {
    sandbox.Git("srv", {"init", "-q", "--bare", "-b", "main", "game.git"});
    Clone("ann");
    sandbox.CommitAll("ann", "first");
    sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  }
  void Clone(const std::string& person) { sandbox.Clone(daemon.Url("game.git"), person, person); }
  std::unique_ptr<git::Repository> Open(const std::string& person) {
    return Must(git::OpenRepository(sandbox.Path(person)));
  }
};

const Settings kRemote{"origin", std::nullopt, "refs/revctl/ledger", "", "main"};

}  // namespace

TEST_CASE("ledger: a state survives a round trip", "[ledger]") {
  State state;
  state.id = "abc123";
  state.lists["main"].Give("SR_B", 667, kAnn);
  state.lists["main"].Give("SR_A", 666, {"Bob B.", "bob@x"});
  state.lists["empty"];
  const Files files = FormatState(state);
  CHECK(files.at("list.main") ==
        "revctl-ledger-list 1\nhigh-water 667\n666 SR_A Bob B. <bob@x>\n667 SR_B Ann "
        "<ann@studio.example>\n");
  const State again = Must(ParseState(files, "here"));
  CHECK(FormatState(again) == files);
  CHECK(again.lists.at("main").Find("SR_A")->who.name == "Bob B.");
  state.lists["main"].Close("SR_B");
  // The numbers of closed reservations are never reassigned.
  CHECK(state.lists["main"].high_water == 667);
}

TEST_CASE("ledger: a damaged or forged state is an error that names the line", "[ledger]") {
  auto broken = [](const std::string& list) {
    auto parsed =
        ParseState({{"ledger", "revctl-ledger 1\nid ab\n"}, {"list.main", list}}, "c0ffee");
    return parsed.ok() ? std::string() : ErrorText(parsed.error());
  };
  const std::string head = "revctl-ledger-list 1\nhigh-water 7\n";
  CHECK(broken(head + "7 SR_A Ann <a@b>\n").empty());
  CHECK(broken(head + "8 SR_A Ann <a@b>\n").find("list.main:3") != std::string::npos);
  CHECK(broken(head + "7 SR_A Ann <a@b>\n7 SR_B Ann <a@b>\n").find("list.main:4") !=
        std::string::npos);
  CHECK(broken(head + "6 SR_A Ann <a@b>\n7 SR_A Ann <a@b>\n").find("list.main:4") !=
        std::string::npos);
  CHECK(broken(head + "7 SR-A Ann <a@b>\n").find(":3") != std::string::npos);
  CHECK(broken(head + "7 SR_A Ann\n").find(":3") != std::string::npos);
  CHECK(broken(head + "7 SR_A Ann <a@b>").find(":3") != std::string::npos);
  CHECK(broken(head + "99999999999999999999 SR_A Ann <a@b>\n").find(":3") != std::string::npos);
  CHECK(broken("something else\n").find(":1") != std::string::npos);
  CHECK_FALSE(ParseState({{"list.main", head}}, "x").ok());
  CHECK_FALSE(ParseState({{"ledger", "revctl-ledger 2\nid ab\n"}}, "x").ok());
  CHECK_FALSE(ParseState({{"ledger", "revctl-ledger 1\nid ab\n"}, {"other", ""}}, "x").ok());
  // ParseState() accepts only text that FormatState() writes.
  CHECK(broken("revctl-ledger-list 1\nhigh-water 007\n")
            .find("has unexpected formatting in the file") != std::string::npos);
  // Other clients can write any tree, so reject files whose names do not contain a valid list name.
  for (const char* name : {"list.a/b", "list.", "list.../x", "list.a b", "list.a\nb", "list.a.lock",
                           "list", "list.main/", "LIST.main"}) {
    INFO(name);
    const auto named = ParseState({{"ledger", "revctl-ledger 1\nid ab\n"}, {name, head}}, "x");
    REQUIRE_FALSE(named.ok());
    CHECK(ErrorText(named.error()).find("contains an unexpected file") != std::string::npos);
    CHECK(ErrorText(named.error()).find('\n') == std::string::npos);
  }
}

TEST_CASE("ledger: commands and repairs work despite a foreign commit on top", "[ledger]") {
  Team team;
  team.Clone("bob");
  auto ann = team.Open("ann"), bob = team.Open("bob");
  Ledger of_ann(*ann, kRemote);
  Settings named = kRemote;
  named.id = Must(of_ann.Commit(Reserve("SR_A", kAnn))).state.id;
  const std::string ref = "refs/revctl/ledger", copy = "refs/revctl/remotes/origin/ledger";
  const std::string head = team.sandbox.Git("ann", {"rev-parse", copy + ":ledger"}),
                    list = team.sandbox.Git("ann", {"rev-parse", copy + ":list.main"});
  const auto tree = [&](const std::string& entries) {
    auto made = team.sandbox.Run("ann", {"git", "mktree", "-z", "--missing"}, {}, entries);
    return made.out.substr(0, 40);
  };
  const std::string sound = "100644 blob " + head + "\tledger" + '\0';
  const std::string folder = tree("100644 blob " + list + "\tb" + '\0');
  const std::string link = "120000 blob " + list + "\tlist.main" + '\0';
  const std::string other_id = [&] {
    team.sandbox.Write("other", "revctl-ledger 1\nid abcdef\n");
    return "100644 blob " + team.sandbox.Git("ann", {"hash-object", "-w", "../other"}) +
           "\tledger" + '\0';
  }();
  const std::string bad[] = {sound + "040000 tree " + folder + "\tlist.a" + '\0',
                             sound + link,
                             sound + "040000 tree " + folder + "\tlist.main" + '\0',
                             sound + "100644 blob " + list + "\tREADME" + '\0',
                             "040000 tree " + folder + "\tledger" + '\0',
                             other_id};
  int step = 0;
  for (const std::string& entries : bad) {
    INFO(entries);
    const std::string tip = team.sandbox.Git("srv/game.git", {"rev-parse", ref});
    team.sandbox.Git("ann", {"fetch", "-q", "origin", ref});
    const std::string forged =
        team.sandbox.Git("ann", {"commit-tree", tree(entries), "-p", tip, "-m", "create"});
    team.sandbox.Git("ann", {"push", "-q", "origin", forged + ":" + ref});
    Ledger of_bob(*bob, named);
    const auto seen = Must(of_bob.Refresh());
    CHECK(seen.skipped.find(forged.substr(0, 10)) != std::string::npos);
    CHECK(seen.state.lists.at("main").high_water == 100 + step);
    if (++step % 2 == 0) {  // the next event makes the ledger valid again, as a repair does
      const auto next = Must(of_bob.Commit(Reserve("SR_" + std::to_string(step), kAnn)));
      CHECK(next.state.lists.at("main").high_water == 100 + step);
      CHECK_FALSE(next.skipped.empty());
    } else {
      Must(of_bob.Repair({}, false));
      Must(of_bob.Commit(Reserve("SR_" + std::to_string(step), kAnn)));
    }
    CHECK(Must(of_bob.Refresh()).skipped.empty());
    // The fix must be a fast-forward, because a protected server accepts nothing else.
    team.sandbox.Git("srv/game.git", {"merge-base", "--is-ancestor", forged, ref});
  }
  // A commit in a future format is not treated as damage.
  team.sandbox.Write("other", "revctl-ledger 2\nid abcdef\n");
  const std::string later =
      tree("100644 blob " + team.sandbox.Git("ann", {"hash-object", "-w", "../other"}) +
           "\tledger" + '\0');
  const std::string tip = team.sandbox.Git("srv/game.git", {"rev-parse", ref});
  team.sandbox.Git("ann", {"fetch", "-q", "origin", ref});
  team.sandbox.Git(
      "ann",
      {"push", "-q", "origin",
       team.sandbox.Git("ann", {"commit-tree", later, "-p", tip, "-m", "create"}) + ":" + ref});
  auto newer = Ledger(*bob, named).Refresh();
  REQUIRE_FALSE(newer.ok());
  CHECK(newer.error().fix.find("newer revctl") != std::string::npos);
}

TEST_CASE("ledger: an event survives a round trip", "[ledger]") {
  const Event event{Event::Kind::Renumber,
                    "main",
                    {{"SR_A", 669, 667}, {"SR_B", 670, std::nullopt}},
                    "two\nlines"};
  const std::string message = FormatEvent(event, "77");
  CHECK(message ==
        "renumber main 2 revisions\n\nRevision: SR_A 669 667\nRevision: SR_B 670\nComment: two "
        "lines\nNonce: 77\n");
  auto again = ParseEvent(message);
  REQUIRE(again);
  CHECK(again->kind == Event::Kind::Renumber);
  CHECK(again->steps[0].previous == 667);
  CHECK(again->comment == "two lines");
  CHECK_FALSE(ParseEvent("Merge branch 'x'\n"));
  CHECK(RandomHex(32) != RandomHex(32));
}

TEST_CASE("ledger: the largest tree and event are read in linear time", "[ledger]") {
  // A list may have 100,000 reservations. Quadratic code would take minutes.
  State state;
  state.id = "ab";
  ListState& list = state.lists["main"];
  std::string message = "reserve main\n\n";
  for (int i = 1; i <= 100'000; ++i) {
    list.open.push_back({"SR_N" + std::to_string(i), i, kAnn});
    message += "Revision: SR_N" + std::to_string(i) + " " + std::to_string(i) + "\n";
  }
  list.high_water = 100'000;
  CHECK(Must(ParseState(FormatState(state), "here")).lists.at("main").open.size() == 100'000);
  const auto event = ParseEvent(message);
  REQUIRE(event);
  CHECK(event->steps.size() == 100'000);
  State bobs = state;
  for (Reservation& one : bobs.lists["main"].open) one.who = {"Bob", "bob@x"};
  CHECK(ValidateEvent(state, *event, bobs));
  CHECK_FALSE(ValidateEvent({"ab", {}}, *event, state));
}

TEST_CASE("ledger: without a remote, the ledger is a local ref", "[ledger]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  Ledger ledger(*repository, {"", std::nullopt, "refs/revctl/ledger", "", "main"});
  auto first = Must(ledger.Commit(Reserve("SR_A", kAnn)));
  CHECK(first.state.lists.at("main").Find("SR_A")->number == 100);
  CHECK_FALSE(first.state.id.empty());
  auto again = Must(ledger.Commit(Reserve("SR_A", kAnn)));
  CHECK(again.tip == first.tip);  // the plan has nothing to write
  Must(ledger.Commit(Reserve("SR_B", kAnn)));
  std::vector<std::string> names;
  Must(ledger.History([&](const Record& record) {
    names.push_back(record.event.steps.at(0).name);
    return true;
  }));
  CHECK(names == std::vector<std::string>{"SR_B", "SR_A"});
  CHECK(sandbox.Git("r", {"log", "--format=%s", "refs/revctl/ledger"}) ==
        "reserve main SR_B 101\nreserve main SR_A 100");

  // If `id` is set, both a missing ledger and a ledger with a different id are errors.
  Ledger other(*repository, {"", std::nullopt, "refs/revctl/ledger", "deadbeef", "main"});
  CHECK(other.Cached().error().exit == Exit::Environment);
  Ledger gone(*repository, {"", std::nullopt, "refs/revctl/none", "deadbeef", "main"});
  CHECK(gone.Commit(Reserve("SR_C", kAnn)).error().message.find("has no ledger") !=
        std::string::npos);
}

TEST_CASE("ledger: on a server, a push is a compare-and-swap", "[ledger]") {
  Team team;
  team.Clone("bob");
  auto ann = team.Open("ann"), bob = team.Open("bob");
  Ledger of_ann(*ann, kRemote), of_bob(*bob, kRemote);
  CHECK(Must(of_ann.Commit(Reserve("SR_A", kAnn))).state.lists.at("main").high_water == 100);

  // Ann pushes between Bob's plan and his push, so his plan is called again.
  int looks = 0;
  auto won = Must(of_bob.Commit([&](const Snapshot& snapshot) {
    if (++looks == 1) Must(of_ann.Commit(Reserve("SR_A2", kAnn)));
    return Reserve("SR_B", {"Bob", "bob@x"})(snapshot);
  }));
  CHECK(looks == 2);
  CHECK(won.state.lists.at("main").Find("SR_B")->number == 102);
  CHECK(Must(of_ann.Refresh()).tip == won.tip);
  CHECK(team.sandbox.Git("srv/game.git", {"rev-list", "--count", "refs/revctl/ledger"}) == "3");
  CHECK(Must(of_ann.Refresh()).target == team.sandbox.Git("ann", {"rev-parse", "HEAD"}));
}

TEST_CASE("ledger: without competitors, a commit takes one push and no fetch", "[ledger]") {
  Team team;
  auto ann = team.Open("ann");
  Ledger of_ann(*ann, kRemote);
  Must(of_ann.Commit(Reserve("SR_A", kAnn)));
  team.sandbox.Git("srv/game.git", {"config", "daemon.uploadpack", "false"});
  REQUIRE_FALSE(of_ann.Refresh().ok());
  CHECK(Must(of_ann.Commit(Reserve("SR_B", kAnn))).state.lists.at("main").high_water == 101);
  CHECK(team.sandbox.Git("srv/game.git", {"rev-list", "--count", "refs/revctl/ledger"}) == "2");
}

TEST_CASE("ledger: the server rejects a push if the target has moved", "[ledger]") {
  Team team;
  team.Clone("bob");
  auto ann = team.Open("ann");
  Ledger of_ann(*ann, kRemote);
  Must(of_ann.Commit(Reserve("SR_A", kAnn)));
  const auto land = [&](const std::string& what) {
    team.sandbox.Write("bob/" + what, what);
    team.sandbox.CommitAll("bob", what);
    team.sandbox.Git("bob", {"push", "-q", "origin", "HEAD:main"});
    return team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  };
  const bool atomic = GENERATE(true, false);  // true if the server accepts atomic pushes
  if (!atomic) team.sandbox.Git("srv/game.git", {"config", "receive.advertiseAtomic", "false"});
  std::vector<git::Oid> targets = {*Must(of_ann.Cached()).target, land("one")};
  std::vector<git::Oid> planned_on;
  const auto after = Must(of_ann.Commit([&](const Snapshot& snapshot) {
    planned_on.push_back(*snapshot.target);
    // Move the target again after Ann's fetch.
    if (planned_on.size() == 2 && atomic) targets.push_back(land("two"));
    return Reserve("SR_B", kAnn)(snapshot);
  }));
  CHECK(planned_on == targets);
  CHECK(after.target == targets.back());
  CHECK(after.state.lists.at("main").high_water == 101);
  CHECK(team.sandbox.Git("srv/game.git", {"rev-list", "--count", "refs/revctl/ledger"}) == "2");
  CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "main"}) == targets.back());
}

TEST_CASE("ledger: an outdated local copy never decides the result", "[ledger]") {
  Team team;
  team.Clone("bob");
  auto ann = team.Open("ann"), bob = team.Open("bob");
  Ledger of_ann(*ann, kRemote), of_bob(*bob, kRemote);
  Must(of_ann.Commit(Reserve("SR_A", kAnn)));
  Must(of_bob.Refresh());
  const auto abandon = [](const Snapshot& snapshot) -> revctl::base::Result<std::optional<Change>> {
    State state = snapshot.state;
    const std::int64_t number = state.lists["main"].Find("SR_A")->number;
    state.lists["main"].Close("SR_A");
    return std::optional<Change>(
        {state, {Event::Kind::Release, "main", {{"SR_A", number, std::nullopt}}, ""}});
  };
  Must(of_ann.Commit(abandon));
  SECTION("a plan that finds its name in the copy") {
    CHECK(Must(of_bob.Commit(Reserve("SR_A", kAnn))).state.lists.at("main").Find("SR_A")->number ==
          101);
  }
  SECTION("a plan that fails on the copy") {
    const auto now = Must(of_bob.Commit([&](const Snapshot& snapshot) {
      if (snapshot.state.lists.at("main").Find("SR_A") != nullptr)
        return revctl::base::Result<std::optional<Change>>(
            revctl::base::Error{Exit::Findings, "SR_A is another person's", ""});
      return Reserve("SR_A", kAnn)(snapshot);
    }));
    CHECK(now.state.lists.at("main").Find("SR_A")->number == 101);
  }
}

TEST_CASE("ledger: a lost, rewound or forged ledger is repaired", "[ledger]") {
  Team team;
  team.Clone("bob");
  auto ann = team.Open("ann"), bob = team.Open("bob");
  Ledger of_ann(*ann, kRemote);
  const std::string id = Must(of_ann.Commit(Reserve("SR_A", kAnn))).state.id;
  const std::string early = team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"});
  Settings named = kRemote;
  named.id = id;
  Ledger of_bob(*bob, named);
  Must(of_bob.Commit(Reserve("SR_B", {"Bob", "bob@x"})));
  Must(of_ann.Refresh());

  SECTION("deleted, as push --mirror does") {
    team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/revctl/ledger"});
    auto lost = of_bob.Commit(Reserve("SR_C", kAnn));
    REQUIRE_FALSE(lost.ok());
    CHECK(lost.error().exit == Exit::Environment);
    CHECK(lost.error().fix == "revctl doctor --repair-ledger");
  }
  SECTION("reset to an older commit") {
    team.sandbox.Git("srv/game.git", {"update-ref", "refs/revctl/ledger", early});
    auto lost = of_bob.Refresh();
    REQUIRE_FALSE(lost.ok());
    CHECK(ErrorText(lost.error()).find("does not descend") != std::string::npos);
  }
  SECTION("replaced by unrelated commits, which Repair does not overwrite") {
    team.sandbox.Git("ann", {"push", "-q", "-f", "origin", "HEAD:refs/revctl/ledger"});
    CHECK_FALSE(of_bob.Refresh().ok());
    auto refused = of_bob.Repair({}, false);
    REQUIRE_FALSE(refused.ok());
    CHECK(ErrorText(refused.error()).find("which is not a ledger") != std::string::npos);
    CHECK(team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"}) ==
          team.sandbox.Git("ann", {"rev-parse", "HEAD"}));
    team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/revctl/ledger"});
  }
  SECTION("a meaningless commit pushed on top") {
    const std::string tip = team.sandbox.Git("srv/game.git", {"rev-parse", "refs/revctl/ledger"});
    const std::string tree = team.sandbox.Git("ann", {"rev-parse", "HEAD^{tree}"});
    const std::string forged =
        team.sandbox.Git("ann", {"commit-tree", tree, "-p", tip, "-m", "reserve main SR_EVIL 1"});
    team.sandbox.Git("ann", {"push", "-q", "origin", forged + ":refs/revctl/ledger"});
    // The state comes from the last valid commit, and the tip's error is reported.
    const auto seen = Must(of_bob.Refresh());
    CHECK(seen.state.lists.at("main").high_water == 101);
    CHECK(seen.skipped.find("has no `ledger` file") != std::string::npos);
  }
  SECTION("replaced by another person's ledger") {
    team.Clone("eve");
    auto eve = team.Open("eve");
    Must(Ledger(*eve, {"", std::nullopt, "refs/revctl/other", "", "main"})
             .Commit(Reserve("SR_Z", kAnn)));
    team.sandbox.Git("eve", {"push", "-q", "-f", "origin", "refs/revctl/other:refs/revctl/ledger"});
    team.sandbox.Git("bob", {"update-ref", "-d", "refs/revctl/remotes/origin/ledger"});
    CHECK(of_bob.Refresh().error().message.find("has the id") != std::string::npos);
    team.sandbox.Git("bob",
                     {"fetch", "-q", "../ann",
                      "+refs/revctl/remotes/origin/ledger:refs/revctl/remotes/origin/ledger"});
  }
  CHECK(Must(of_bob.Repair({}, false)).find("repaired from") != std::string::npos);
  auto back = Must(of_bob.Refresh());
  CHECK(back.state.id == id);
  CHECK(back.state.lists.at("main").Find("SR_A")->number == 100);
  CHECK(back.state.lists.at("main").Find("SR_B")->number == 101);
  CHECK(Must(of_bob.Commit(Reserve("SR_C", kAnn))).state.lists.at("main").Find("SR_C")->number ==
        102);
}

TEST_CASE("ledger: numbers assigned by an interim ledger stay assigned", "[ledger]") {
  Team team;
  team.Clone("bob");
  auto ann = team.Open("ann"), bob = team.Open("bob");
  const std::string id = Must(Ledger(*ann, kRemote).Commit(Reserve("SR_A", kAnn))).state.id;
  Settings named = kRemote;
  named.id = id;
  Ledger of_bob(*bob, named);
  Must(of_bob.Refresh());
  // Eve starts a new ledger and reserves three numbers in it before anyone notices.
  team.sandbox.Git("srv/game.git", {"update-ref", "-d", "refs/revctl/ledger"});
  team.Clone("eve");
  auto eve = team.Open("eve");
  Ledger stranger(*eve, {"", std::nullopt, "refs/revctl/other", "", "main"});
  for (const char* name : {"SR_X", "SR_Y", "SR_Z"}) Must(stranger.Commit(Reserve(name, kAnn)));
  team.sandbox.Git("eve", {"push", "-q", "origin", "refs/revctl/other:refs/revctl/ledger"});
  CHECK_FALSE(of_bob.Refresh().ok());
  Must(of_bob.Repair({}, false));
  auto back = Must(of_bob.Commit(Reserve("SR_B", {"Bob", "bob@x"})));
  CHECK(back.state.id == id);
  CHECK(back.state.lists.at("main").Find("SR_B")->number == 103);
}

TEST_CASE("ledger: a rejected push is not a lost race", "[ledger]") {
  Team team;
  team.sandbox.Write("srv/game.git/hooks/pre-receive",
                     "#!/bin/sh\necho x >> asked\necho the ledger is closed >&2\nexit 1\n");
  std::filesystem::permissions(team.sandbox.Path("srv/game.git/hooks/pre-receive"),
                               std::filesystem::perms::owner_all);
  auto ann = team.Open("ann");
  Ledger ledger(*ann, kRemote);
  auto refused = ledger.Commit(Reserve("SR_A", kAnn));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().exit == Exit::Environment);
  CHECK(ErrorText(refused.error()).find("the ledger is closed") != std::string::npos);
  CHECK(ErrorText(refused.error()).find("pre-receive hook declined") != std::string::npos);
  CHECK(team.sandbox.Read("srv/game.git/asked") == "x\n");
}

TEST_CASE("ledger: eight threads reserve on one local ref", "[ledger]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&sandbox, i] {
      auto repository = git::OpenRepository(sandbox.Path("r"));
      Ledger ledger(**repository, {"", std::nullopt, "refs/revctl/ledger", "", "main"});
      (void)ledger.Commit(Reserve("SR_" + std::to_string(i), kAnn)).ok();
    });
  }
  for (auto& thread : threads) thread.join();
  auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  auto state =
      Must(Ledger(*repository, {"", std::nullopt, "refs/revctl/ledger", "", "main"}).Cached())
          .state.lists.at("main");
  CHECK(state.open.size() == 8);
  CHECK(state.high_water == 107);
}
