// Tests goldens of revisions that are waiting for a fold. A fold, or any other commit on the
// target, may regenerate stale goldens (RV028). It must keep every golden and value, and must not
// change any other golden.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/scenarios/landing_team.h"

using namespace revctl;
using namespace revctl::testing;
using Catch::Contains;

namespace {

/// Returns a record as `record` would write it, with one type that has the given `fields`.
std::string Record(const std::string& name, const std::string& previous, const std::string& type,
                   const std::vector<std::string>& fields, const std::string& values,
                   const std::string& upgrades = "") {
  std::string text =
      "version: 1\nrevision: " + name + "\nnumber: 9\nlineage: \"0123456789abcdef\"\n" +
      (previous.empty() ? "" : "previous: " + previous + "\n") +
      "recorded: {by: record, code: " + name +
      ", compiler: \"g++ 12.2.0\", revctl: 0.1.0, seed: 1}\ntypes:\n  - type: " + type +
      "\n    compared: []\n    fields:\n";
  for (const std::string& field : fields)
    text += "      - {name: " + field + ", type: i32, size: 4, form: add}\n";
  text += "enums: []\ncases:\n  - {type: " + type +
          ", name: auto-1, size: 0, hash: \"ef46db3751d8e999\", values: {" + values + "}}\n";
  if (upgrades.empty()) return text + "upgrades: []\n";
  return text + "upgrades:\n  - type: " + type + "\n    cases: [SR_FOULS/auto-1]\n    changes: {" +
         upgrades + "}\n";
}

/// A team whose main has three pending revisions: SR_AAA removes `old` from Match, SR_ONE adds
/// `luck` and was recorded without SR_AAA, and SR_SONG shares no type with the other two.
struct Waiting : LandingTeam {
  std::string tip;

  explicit Waiting(const std::string& refresh = "") {
    std::string config = sandbox.Read("ann/.revctl.yaml");
    config.insert(config.find("path: "), "golden: golden, ");
    sandbox.Write("ann/.revctl.yaml",
                  config + (refresh.empty() ? "" : "land: {goldens: \"sh ../refresh\"}\n"));
    sandbox.Write("refresh", refresh);
    Golden("ann", "SR_FOULS", "", {"x", "old"}, "x: 1, old: 2");
    sandbox.Write("ann/golden/SR_INITIAL.yaml",
                  ::Record("SR_INITIAL", "", "Song", {"key"}, "key: 1"));
    sandbox.Write("ann/golden/SR_INITIAL.golden", NoBytes());
    Land("ann");
    Lands("SR_AAA", {"x"}, "x: 1", "old: [2, ~]");
    Lands("SR_ONE", {"x", "old", "luck"}, "x: 3, old: 4, luck: 5", "luck: [~, 7]");
    sandbox.Git("ann", {"checkout", "-q", "-b", "SR_SONG", "origin/main"});
    Reserve("ann", "SR_SONG");
    sandbox.Write("ann/golden/SR_SONG.yaml",
                  ::Record("SR_SONG", "SR_FOULS", "Song", {"key", "loud"}, "key: 1, loud: 2"));
    sandbox.Write("ann/golden/SR_SONG.golden", NoBytes());
    Offer("SR_SONG");
    sandbox.Git("bob", {"pull", "-q"});
    tip = sandbox.Git("bob", {"rev-parse", "HEAD"});
  }
  void Golden(const std::string& who, const std::string& name, const std::string& previous,
              const std::vector<std::string>& fields, const std::string& values,
              const std::string& upgrades = "") const {
    sandbox.Write(who + "/golden/" + name + ".yaml",
                  ::Record(name, previous, "Match", fields, values, upgrades));
    sandbox.Write(who + "/golden/" + name + ".golden", NoBytes());
  }
  /// Lands a revision whose goldens were recorded without the pending revisions.
  void Lands(const std::string& name, const std::vector<std::string>& fields,
             const std::string& values, const std::string& upgrades) const {
    sandbox.Git("ann", {"checkout", "-q", "-b", name, "main"});
    Reserve("ann", name);
    Golden("ann", name, "SR_FOULS", fields, values, upgrades);
    Offer(name);
  }
  void Offer(const std::string& name) const {
    sandbox.CommitAll("ann", name);
    sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", name});
    const auto merged = HostMerges(name);
    if (merged.status != 0) throw std::runtime_error(merged.err);
    sandbox.Git("ann", {"fetch", "-q"});
  }
  /// Edits the list and the pending files as a fold would.
  void FoldByHand() const {
    std::string list = sandbox.Read("bob/" + std::string(kList));
    const std::size_t at = list.find("#if __has_include");
    if (at == list.npos) throw std::runtime_error(list);
    sandbox.Write("bob/" + std::string(kList),
                  list.insert(at,
                              "    SR_AAA=3,// a: for SR_AAA\n    SR_ONE=4,// a: for SR_ONE\n"
                              "    SR_SONG=5,// a: for SR_SONG\n"));
    for (const char* name : {"SR_AAA", "SR_ONE", "SR_SONG"})
      std::filesystem::remove(sandbox.Path("bob/" + std::string(kFolder) + name + ".yaml"));
  }
  /// Writes SR_ONE's goldens as a refresh would.
  void Anew(const std::string& values = "x: 3, luck: 5",
            const std::string& upgrades = "luck: [~, 7]",
            const std::string& previous = "SR_AAA") const {
    Golden("bob", "SR_ONE", previous, {"x", "luck"}, values, upgrades);
  }
  /// Lands an allowance for RV019, bypassing the server's gate, and updates Bob's work tree.
  void Allow(const std::string& name) const {
    const std::string hook = sandbox.Path("srv/game.git/hooks/pre-receive");
    std::filesystem::rename(hook, hook + ".off");
    sandbox.Write("bob/.revctl.yaml", sandbox.Read("bob/.revctl.yaml") +
                                          "allow: [{rule: RV019, name: " + name +
                                          ", reason: damaged}]\n");
    Land("bob");
    std::filesystem::rename(hook + ".off", hook);
  }
  /// Returns the output of `check` for Bob's work tree, prefixed with "landed: " if the server
  /// accepts its push. If the server rejects the push, resets Bob's clone to `tip`.
  std::string Try() const {
    const auto checked = Revctl("bob", {"check"});
    INFO(checked.out << checked.err);
    sandbox.CommitAll("bob", "by hand");
    const auto pushed = sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
    INFO(pushed.err);
    CHECK((pushed.status == 0) == (checked.status == 0));
    if (pushed.status != 0) sandbox.Git("bob", {"reset", "-q", "--hard", tip});
    return (pushed.status == 0 ? "landed: " : "") + checked.out;
  }
};

/// Returns the hash that the file name of the addition `text` must contain.
std::string Addition(const std::string& text) {
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx",
                static_cast<unsigned long long>(XXH64(text.data(), text.size(), 0)));
  return hex;
}

const std::string kOne = "golden/SR_ONE.yaml: ";
const std::string kStale = "are stale: they were recorded without SR_AAA";

}  // namespace

TEST_CASE("fold goldens: a handmade fold may rewrite only stale goldens",
          "[landing][fold][check]") {
  const Waiting team;
  const auto waits = team.Revctl("bob", {"check"});
  CHECK(waits.status == 0);
  CHECK_THAT(waits.out, Contains(kOne + "note[RV028]: the goldens of SR_ONE " + kStale));
  // SR_ONE would land with stale goldens, because they have not been regenerated.
  team.FoldByHand();
  CHECK_THAT(team.Try(), Contains(kOne + "error[RV028]: the goldens of SR_ONE are stale"));
  // The regenerated record must keep every golden and value.
  const auto lost = [&](const std::string& values, const std::string& upgrades,
                        const std::string& what, const std::string& previous = "SR_AAA") {
    INFO(what);
    team.FoldByHand();
    team.Anew(values, upgrades, previous);
    const std::string said = team.Try();
    CHECK_THAT(said, Contains(kOne + "error[RV019]: the goldens of SR_ONE, which is pending on "
                                     "origin/main, are stale") &&
                         Contains("the new record does not replace them completely: " + what));
  };
  lost("x: 4, luck: 5", "luck: [~, 7]", "Match/auto-1: x was 3, now 4");
  lost("luck: 5", "luck: [~, 7]", "Match/auto-1: x was 3, now gone");
  lost("x: 3", "luck: [~, 7]", "Match/auto-1: luck was 5, now gone");
  lost("x: 3, luck: 5", "luck: [~, 9]", "SR_FOULS/auto-1: luck became 7, now 9");
  lost("x: 3, luck: 5", "", "SR_FOULS/auto-1: luck became 7, and is no longer upgraded");
  lost("x: 3, luck: 5", "luck: [~, 7]", "the goldens of SR_ONE are stale", "SR_FOULS");
  team.FoldByHand();
  std::filesystem::remove(team.sandbox.Path("bob/golden/SR_ONE.yaml"));
  CHECK_THAT(team.Try(), Contains("error[RV019]") && Contains("the record of SR_ONE is missing"));
  // Goldens that share no type with the other revisions must not change, whether in a fold or in
  // any other commit.
  const bool folds = GENERATE(true, false);
  for (const char* text : {"loud: 3", "key: 1"}) {
    if (folds) team.FoldByHand();
    if (folds) team.Anew();
    team.sandbox.Write("bob/golden/SR_SONG.yaml",
                       ::Record("SR_SONG", "SR_ONE", "Song", {"key", "loud"}, text));
    CHECK_THAT(
        team.Try(),
        Contains("golden/SR_SONG.yaml: error[RV019]: the golden of SR_SONG was edited, but that "
                 "revision is pending on origin/main; only a fold may record it again, and only if "
                 "it is stale"));
  }
  // Regenerate the goldens as a fold does. The finding names the value that SR_AAA removes.
  if (folds) team.FoldByHand();
  team.Anew();
  const std::string said = team.Try();
  CHECK_THAT(said, Contains("landed: ") &&
                       Contains(kOne + "note[RV019]: the goldens of SR_ONE, which is pending on "
                                       "origin/main, are recorded again, as a fold does: ") &&
                       Contains("other revisions changed Match/auto-1: old was 4, now gone"));
}

TEST_CASE("fold goldens: a lossy refresh blocks only its own revision", "[landing][fold]") {
  const std::string song = "sed -i 's/loud: 2/loud: 3/' golden/SR_SONG.yaml\n";
  const std::string anew =
      "sed -i -e 's/^previous: .*/previous: SR_AAA/' -e 's/, old: 4//' "
      "-e '/name: old,/d' golden/SR_ONE.yaml\n";
  SECTION("an upgrade is lost") {
    const Waiting team(anew + song +
                       "sed -i 's/luck: \\[~, 7\\]/luck: [~, 0]/' golden/SR_ONE.yaml\n");
    const auto fold = team.Revctl("bob", {"fold", "--push"});
    INFO(fold.out << fold.err);
    CHECK(fold.status == 1);
    CHECK(fold.out == "SR_AAA = 3\nSR_SONG = 4\n");
    CHECK_THAT(fold.err, Contains("RV029") && Contains("SR_ONE") && Contains("RV019: ") &&
                             Contains("SR_FOULS/auto-1: luck became 7, now 0") &&
                             Contains("fix: revctl fold   # run again"));
    team.sandbox.Git("bob", {"pull", "-q"});
    CHECK(team.sandbox.Git("bob", {"diff", "--name-only", team.tip, "--", "golden"}).empty());
    CHECK(team.sandbox.Exists("bob/" + std::string(kFolder) + "SR_ONE.yaml"));
  }
  SECTION("goldens that are not stale stay unchanged") {
    const Waiting team("revctl sync\n" + anew + song);  // with `sync`, as in builds without CMake
    const auto fold = team.Revctl("bob", {"fold", "--push"});
    INFO(fold.out << fold.err);
    CHECK(fold.status == 0);
    CHECK(fold.out == "SR_AAA = 3\nSR_ONE = 4\nSR_SONG = 5\n");
    team.sandbox.Git("bob", {"pull", "-q"});
    CHECK(team.sandbox.Git("bob", {"diff", "--name-only", team.tip, "--", "golden"}) ==
          "golden/SR_ONE.yaml");
  }
}

TEST_CASE("fold goldens: payloads of a different record never land", "[landing][fold][check]") {
  const std::string payloads = "bob/golden/SR_SONG.golden",
                    broken =
                        "golden/SR_SONG.yaml: error[RV020]: the goldens of SR_SONG are "
                        "broken: ";
  const Waiting team(
      "sed -i -e 's/^previous: .*/previous: SR_AAA/' -e 's/, old: 4//' -e '/name: old,/d' "
      "golden/SR_ONE.yaml\nprintf x >golden/SR_ONE.golden\n");
  std::string other = NoBytes();
  other[12] = '\x98';
  const std::pair<std::string, std::string> packs[] = {
      {"swapped", "not a payload pack"},
      {NoBytes().substr(0, 20), "truncated"},
      {other, "payload 1 of 1 is damaged"},
      {std::string("rvgold\1\n\1\0\0\0", 12) + "\x5b\x6e\x8c\xa9\xf1\xc4\x4e\xd2" +
           std::string("\1\0\0\0a", 5),
       "Match auto-1 has no payload that matches its hash ef46db3751d8e999"}};
  // The gate reports each broken pack of a branch's own revision.
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "mine"});
  team.Reserve("bob", "SR_MINE");
  team.Golden("bob", "SR_MINE", "SR_SONG", {"x", "mine"}, "x: 1, mine: 2");
  for (const auto& [bytes, why] : packs) {
    INFO(why);
    team.sandbox.Write("bob/golden/SR_MINE.golden", bytes);
    const auto checked = team.Revctl("bob", {"check"});
    CHECK(checked.status == 1);
    CHECK_THAT(checked.out, Contains("error[RV020]: the goldens of SR_MINE are broken: ") &&
                                Contains(why) && Contains("record --refresh SR_MINE"));
  }
  // A pack with a payload that is not in the record, and a pack whose payload has the wrong size.
  std::string two = NoBytes() + "a";
  two[8] = 2;
  two.insert(12, std::string("\x5b\x6e\x8c\xa9\xf1\xc4\x4e\xd2\1\0\0\0", 12));
  team.sandbox.Write("bob/golden/SR_MINE.golden", two);
  CHECK_THAT(team.Revctl("bob", {"check"}).out, Contains("payloads that the record does not list"));
  const std::string mine = team.sandbox.Read("bob/golden/SR_MINE.yaml");
  std::string larger = mine;
  team.sandbox.Write("bob/golden/SR_MINE.golden", NoBytes());
  team.sandbox.Write("bob/golden/SR_MINE.yaml",
                     larger.replace(larger.find("size: 0"), 7, "size: 1"));
  CHECK_THAT(team.Revctl("bob", {"check"}).out, Contains("a payload of a different size"));
  // An unreadable record may be stale, so it is an error.
  team.sandbox.Write("bob/golden/SR_MINE.yaml", "version: [\n");
  CHECK_THAT(team.Revctl("bob", {"check"}).out, Contains("golden/SR_MINE.yaml: error[RV028]: "));
  team.sandbox.Write("bob/golden/SR_MINE.yaml", mine);
  std::filesystem::remove(team.sandbox.Path("bob/golden/SR_MINE.golden"));
  CHECK_THAT(team.Revctl("bob", {"check"}).out,
             Contains("is missing; it should contain the payloads of SR_MINE.yaml"));
  team.sandbox.CommitAll("bob", "mine");
  const auto refused =
      team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "mine:main"});
  CHECK_THAT(refused.err, Contains("error[RV020]"));
  team.sandbox.Git("bob", {"checkout", "-q", "main"});
  // Land a damaged golden while the gate is disabled.
  const std::string hook = team.sandbox.Path("srv/game.git/hooks/pre-receive");
  std::filesystem::rename(hook, hook + ".off");
  team.sandbox.Write(payloads, packs[3].first);
  team.Land("bob");
  std::filesystem::rename(hook + ".off", hook);
  team.sandbox.Git("bob", {"fetch", "-q"});
  const std::string tip = team.sandbox.Git("bob", {"rev-parse", "HEAD"});
  team.FoldByHand();
  CHECK_THAT(team.Revctl("bob", {"check"}).out, Contains(broken));
  team.sandbox.Git("bob", {"reset", "-q", "--hard", tip});
  // A fold leaves the revision with the damaged golden pending, and also all revisions whose
  // goldens the fold's own refresh broke.
  const auto fold = team.Revctl("bob", {"fold", "--push"});
  INFO(fold.out << fold.err);
  CHECK(fold.out == "SR_AAA = 3\n");
  CHECK_THAT(fold.err, Contains("RV020: its goldens are broken (golden/SR_SONG.yaml: the case") &&
                           Contains("the new record does not replace them completely: "
                                    "golden/SR_ONE.golden: not a payload pack"));
  // Repairing the damaged golden requires an allowance.
  CHECK_THAT(fold.err,
             Contains("land an `allow` for RV019 with name SR_SONG, then run your harness"));
  team.sandbox.Git("bob", {"pull", "-q"});
  team.sandbox.Write(payloads, NoBytes());
  CHECK_THAT(team.Revctl("bob", {"check"}).out, Contains("golden/SR_SONG.golden: error[RV019]"));
  team.sandbox.Git("bob", {"checkout", "-q", "golden"});
  team.Allow("SR_SONG");
  team.sandbox.Write(payloads, NoBytes());
  CHECK(team.Revctl("bob", {"check"}).status == 0);
  CHECK_THAT(team.Try(), Contains("landed: "));
  CHECK(team.Revctl("bob", {"fold", "--push"}).out == "SR_SONG = 4\n");
}

TEST_CASE("fold goldens: an addition with damaged payloads never lands", "[landing][fold][check]") {
  const Waiting team(
      "sed -i -e 's/^previous: .*/previous: SR_AAA/' -e 's/, old: 4//' -e '/name: old,/d' "
      "golden/SR_ONE.yaml\n");
  // Add goldens to a landed revision, to a revision that is waiting for a fold, and to a revision
  // of the branch.
  const std::string of = GENERATE("SR_FOULS", "SR_SONG", "SR_MINE");
  const bool own = of == "SR_MINE";
  team.sandbox.Git("bob", {"checkout", "-q", "-b", "mine"});
  if (own) {
    team.Reserve("bob", of);
    team.Golden("bob", of, "SR_SONG", {"x", "mine"}, "x: 1, mine: 2");
  }
  std::string text = ::Record(of, "SR_INITIAL", of == "SR_SONG" ? "Song" : "Match", {},
                              of == "SR_SONG" ? "key: 1, loud: 2" : "x: 7");
  const std::size_t types = text.find("types:");
  text.replace(types, text.find("enums:") - types, "types: []\n");
  const std::string stem = "golden/" + of + "+" + Addition(text), yaml = "bob/" + stem + ".yaml",
                    pack = "bob/" + stem + ".golden";
  team.sandbox.Write(yaml, text);
  std::string other = NoBytes();
  other[12] = '\x98';
  const std::pair<std::string, std::string> packs[] = {
      {"swapped", "not a payload pack"},
      {other, "payload 1 of 1 is damaged"},
      {std::string("rvgold\1\n\0\0\0\0", 12),
       "has no payload that matches its hash ef46db3751d8e999"},
      {"", "is missing; it should contain the payloads of " + stem.substr(7) + ".yaml"}};
  for (const auto& [bytes, why] : packs) {
    INFO(of << ": " << why);
    if (bytes.empty()) std::filesystem::remove(team.sandbox.Path(pack));
    else team.sandbox.Write(pack, bytes);
    const auto checked = team.Revctl("bob", {"check"});
    CHECK(checked.status == 1);
    CHECK_THAT(checked.out,
               Contains("error[RV020]: the goldens of " + of + " are broken: ") && Contains(why) &&
                   Contains("fix: rm -f " + stem + ".yaml " + stem + ".golden, add it again"));
  }
  team.sandbox.Write(pack, NoBytes());
  CHECK_THAT(team.Revctl("bob", {"check"}).out, !Contains("RV020"));
  team.sandbox.Write(pack, "swapped");
  team.sandbox.CommitAll("bob", "mine");
  const auto push = [&] {
    return team.sandbox.TryGit("bob", {"push", "-q", "--no-verify", "origin", "HEAD:main"});
  };
  CHECK_THAT(push().err, Contains("error[RV020]"));
  // If the damaged addition lands while the gate is disabled, a fold leaves its revision pending.
  const std::string hook = team.sandbox.Path("srv/game.git/hooks/pre-receive");
  std::filesystem::rename(hook, hook + ".off");
  REQUIRE(push().status == 0);
  std::filesystem::rename(hook + ".off", hook);
  team.sandbox.Git("bob", {"fetch", "-q"});
  if (of != "SR_FOULS") {
    const auto fold = team.Revctl("bob", {"fold", "--push"});
    INFO(fold.out << fold.err);
    CHECK(fold.status == 1);
    CHECK_THAT(fold.out, !Contains(of) && Contains("SR_ONE = "));
    CHECK_THAT(fold.err, Contains("RV020: its goldens are broken (" + stem + ".golden: "));
    team.sandbox.Git("bob", {"pull", "-q", "origin", "main"});
  }
  team.sandbox.Write(pack, NoBytes());
  CHECK_THAT(team.Revctl("bob", {"check"}).out, Contains(stem + ".golden: error[RV019]"));
  team.sandbox.Git("bob", {"checkout", "-q", "golden"});
  team.Allow(of);
  team.sandbox.Write(pack, NoBytes());
  const auto repaired = team.Revctl("bob", {"check"});
  INFO(repaired.out << repaired.err);
  CHECK(repaired.status == 0);
  team.sandbox.CommitAll("bob", "repaired");
  CHECK(push().status == 0);
  if (of != "SR_FOULS")
    CHECK(team.Revctl("bob", {"fold", "--push"}).out == of + (own ? " = 6\n" : " = 5\n"));
}

TEST_CASE("fold goldens: folded goldens contain no revision that stays pending",
          "[landing][fold]") {
  // The script stands in for a harness: it records SR_ONE on top of the revisions before it. SR_A0
  // adds a field.
  const Waiting team(
      "before=$('" + ProgramPath() +
      "' list | sed -n 's/.*\\(SR_[A-Z0-9]*\\).*/\\1/p' | sed '/^SR_ONE$/q' | grep -v SR_ONE)\n"
      "sed -i \"s/^previous: .*/previous: $(echo \"$before\" | tail -1)/\" golden/SR_ONE.yaml\n"
      "case $before in *SR_AAA*) sed -i -e 's/, old: 4//' -e '/name: old,/d' golden/SR_ONE.yaml;; "
      "esac\n"
      "case $before in *SR_A0*) sed -i 's/x: 3/x: 3, zero: 0/' golden/SR_ONE.yaml;; esac\n");
  const bool at = GENERATE(true, false);
  team.Lands("SR_A0", {"x", "old", "zero"}, "x: 1, old: 2, zero: 0", "");
  if (!at) {
    // A revision without goldens also stays pending.
    const std::string hook = team.sandbox.Path("srv/game.git/hooks/pre-receive");
    std::filesystem::rename(hook, hook + ".off");
    team.sandbox.Git("host", {"rm", "-q", "golden/SR_A0.yaml"});
    team.Land("host");
    std::filesystem::rename(hook + ".off", hook);
  }
  const auto fold = at ? team.Revctl("bob", {"fold", "--push", "--at", team.tip})
                       : team.Revctl("bob", {"fold", "--push"});
  INFO(fold.out << fold.err);
  CHECK(fold.status == (at ? 0 : 1));
  CHECK(fold.out == "SR_AAA = 3\nSR_ONE = 4\nSR_SONG = 5\n");
  team.sandbox.Git("bob", {"pull", "-q"});
  const std::string record = team.sandbox.Read("bob/golden/SR_ONE.yaml");
  CHECK_THAT(record, Contains("previous: SR_AAA\n") && Contains("values: {x: 3, luck: 5}"));
}

TEST_CASE("fold goldens: losing a race does not require a second build", "[landing][fold]") {
  const Waiting team(
      "echo built >>../builds\n"
      "[ \"$(wc -l <../builds)\" != 1 ] || sh ../meanwhile >&2\n"
      "sed -i -e 's/^previous: .*/previous: SR_AAA/' -e 's/, old: 4//' -e '/name: old,/d' "
      "golden/SR_ONE.yaml\n");
  // SR_A0 sorts before all other names.
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "late", "origin/main"});
  const auto reserve = [&](const std::string& name, const std::string& type) {
    team.Reserve("ann", name);
    team.sandbox.Write("ann/golden/" + name + ".yaml",
                       ::Record(name, "SR_FOULS", type, {"width"}, "width: 1"));
    team.sandbox.Write("ann/golden/" + name + ".golden", NoBytes());
  };
  reserve("SR_A0", "Map");
  const bool again = GENERATE(false, true);
  // If a user changes a golden that the fold has regenerated, the fold regenerates it again.
  if (again)
    team.sandbox.Write("ann/golden/SR_ONE.yaml",
                       team.sandbox.Read("ann/golden/SR_ONE.yaml") + "# by hand\n");
  team.sandbox.CommitAll("ann", "late");
  team.sandbox.Write("meanwhile",
                     std::string(again ? "mv ../srv/game.git/hooks/pre-receive off\n" : "") +
                         "git -C ../ann push -q --no-verify origin late:main\n" +
                         (again ? "" : "touch ../srv/game.git/race\n"));
  // Another push wins the race against the fold's next push.
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "later"});
  reserve("SR_B0", "Tree");
  team.sandbox.CommitAll("ann", "later");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", "origin", "later"});
  team.sandbox.WriteExecutable("srv/game.git/hooks/update",
                               "#!/bin/sh\n[ -e race ] || exit 0\nrm race\n"
                               "git update-ref refs/heads/main refs/heads/later\n");
  const auto fold = team.Revctl("bob", {"fold", "--push"});
  INFO(fold.out << fold.err);
  CHECK(fold.status == 0);
  CHECK(fold.out == (again ? "SR_A0 = 3\nSR_AAA = 4\nSR_ONE = 5\nSR_SONG = 6\n"
                           : "SR_AAA = 3\nSR_ONE = 4\nSR_SONG = 5\n"));
  CHECK(team.sandbox.Read("builds") == (again ? "built\nbuilt\n" : "built\n"));
  CHECK_THAT(team.ListOnMain("bob"), Contains("SR_SONG=") && Contains("SR_ONE="));
  if (again) return;
  CHECK_FALSE(team.sandbox.Exists("srv/game.git/race"));
  CHECK(team.Revctl("bob", {"fold", "--push"}).out == "SR_A0 = 6\nSR_B0 = 7\n");
}
