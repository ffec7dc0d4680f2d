// Tests config changes that would allow the next push to make a forbidden change.
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>

#include "tests/scenarios/attacked.h"

using namespace revctl::testing;

namespace {

struct Scene : Attacked {
  /// Writes `.revctl.yaml` with additional keys for the list and additional lines.
  void List(const std::string& keys, const std::string& lines = "") const {
    sandbox.Write("ann/.revctl.yaml",
                  "version: 1\nlists: [{path: src/master_version_list.h" + keys + "}]\n" + lines);
  }
  /// Commits and pushes the change, and returns the server's message. Checks that `check` also
  /// rejects the change, then removes the commit.
  std::string Refused(const std::string& what) const {
    const std::string said = PushCommit(what);
    const auto checked = Revctl("ann", {"check"});
    CHECK(checked.status == 1);
    INFO(checked.out);
    CHECK(!said.empty());
    sandbox.Git("ann", {"reset", "-q", "--hard", "HEAD~"});
    return said;
  }
  void Unguarded(const std::string& what) const {
    sandbox.Git("srv/game.git", {"config", "revctl.allowPolicyChange", "true"});
    INFO(what);
    CHECK(PushCommit(what) == "");
    sandbox.Git("srv/game.git", {"config", "--unset", "revctl.allowPolicyChange"});
    sandbox.Git("ann", {"fetch", "-q"});
  }
};

/// Returns a record with one golden, named `item`. `code` is the value of its `code` field.
std::string Record(const std::string& name, const std::string& code, const std::string& item) {
  return "version: 1\nrevision: " + name + "\nnumber: 3\nlineage: \"0123456789abcdef\"\n" +
         "previous: SR_FOULS\nrecorded: {by: record, code: " + code +
         ", compiler: \"g++ 12.2.0\", revctl: 0.1.0, seed: 1}\ntypes:\n  - type: Match\n" +
         "    compared: []\n    fields:\n      - {name: f1, type: \"u32\", form: add}\nenums: "
         "[]\n" +
         "cases:\n  - {type: Match, name: " + item +
         ", size: 0, hash: \"ef46db3751d8e999\", values: {}}\nupgrades: []\n";
}

/// Pushes a branch `mine`, which has its own config and edits a landed entry, and a branch `pr` on
/// top of it.
void PushBranchOfMine(const Attacked& team, const std::string& policy) {
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "mine"});
  team.Policy(policy);
  team.EditLanded();
  REQUIRE(team.PushCommit("mine", "mine") == "");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "pr"});
  team.sandbox.Write("ann/README", "text\n");
  REQUIRE(team.PushCommit("pr", "pr") == "");
}

}  // namespace

TEST_CASE("policy attack: nothing can allow an unreadable list", "[server]") {
  Scene team;
  for (const char* rule : {"RV015", "RV016", "RV029", "RV030"}) {
    INFO(rule);
    team.List("", std::string("allow: [{rule: ") + rule + ", reason: none}]\n");
    CHECK(Has(team.Refused("an allowance"),
              "would let the next change edit landed revisions or goldens"));
  }
  // An allowance for a rule about a revision's position is still accepted.
  team.List("", "allow: [{rule: RV006, name: SR_X, reason: none}]\n");
  CHECK(team.PushCommit("an allowance").empty());
}

TEST_CASE("policy attack: a list cannot move and also stay", "[server]") {
  Scene team;
  const std::string list = team.sandbox.Read(std::string("ann/") + Team::kList);
  const auto move_to = [&](const std::string& left) {
    team.sandbox.Write("ann/src/decoy.h", list);
    team.sandbox.Write(std::string("ann/") + Team::kList, left);
    team.sandbox.Write("ann/.revctl.yaml", "version: 1\nlists: [{path: src/decoy.h}]\n");
  };
  move_to(list);
  CHECK(
      Has(team.Refused("a decoy"),
          "SR_INITIAL also stays in src/master_version_list.h, which would no longer be checked"));
  move_to("#pragma once\nenum R { SR_FOULS=7 };\n");
  CHECK(Has(team.Refused("a decoy and another number"), "SR_FOULS also stays in"));
  // A compiler may accept code that revctl cannot parse.
  move_to("enum R { SR_FOULS = sizeof(int) + alignof(char) };\n");
  CHECK(Has(team.Refused("a decoy and what is no list"), "SR_FOULS also stays in"));
  move_to("enum R { SR_FO\\\nULS = f(7) };\n");
  CHECK(Has(team.Refused("a decoy and a spliced name"), "SR_FOULS also stays in"));
  move_to("#define X(n) SR_##n\nenum R { X(FOULS) = f(7) };\n");
  CHECK(Has(team.Refused("a decoy and a pasted name"), "stays in"));
  move_to("enum R {\r  A = f(7) };\n");
  CHECK(Has(team.Refused("a decoy and what is not read"), "stays in"));
  move_to(
      "/* enum: SR_INITIAL... */\n#pragma once\n#include \"decoy.h\"\nint f() { return SR_FOULS; "
      "}\n");
  CHECK(team.PushCommit("a file that leads to the list").empty());
}

TEST_CASE("policy attack: the target cannot become a release", "[server]") {
  Scene team;
  team.List("", "releases: [\"*\"]\n");
  REQUIRE(team.PushCommit("each branch is a release").empty());
  std::string list = team.sandbox.Read(std::string("ann/") + Team::kList);
  list.replace(list.find("};"), 2, "    SR_HAND=900,\n};");
  team.sandbox.Write(std::string("ann/") + Team::kList, list);
  CHECK(Has(team.Refused("a number by hand"), "RV011"));
  team.sandbox.Git("srv/game.git", {"config", "receive.denyDeleteCurrent", "ignore"});
  CHECK(Has(team.Push({":main"}), "must not be deleted"));
}

TEST_CASE("policy attack: assigned numbers must stay below the floor", "[server]") {
  Scene team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_X"}).status == 0);
  REQUIRE(team.Revctl("ann", {"abandon", "SR_X"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "."});
  // If a user switches to numbers at landing by hand, the config lacks the ledger's high-water
  // mark.
  team.List(", numbers: at-landing");
  CHECK(Has(team.Refused("numbers at landing"), "numbers up to 3 would be assigned a second time"));
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes"}).status == 0);
  REQUIRE(team.PushCommit("converted") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  const std::string policy = team.sandbox.Read("ann/.revctl.yaml");
  const std::size_t at = policy.find("floor: ");
  REQUIRE(at != std::string::npos);
  const std::size_t digit = policy.find('3', at);
  REQUIRE(digit < at + 10);
  for (const char* floor : {"2", "2147483640"}) {
    INFO(floor);
    std::string other = policy;
    team.sandbox.Write("ann/.revctl.yaml", other.replace(digit, 1, floor));
    CHECK(Has(team.Refused("another floor"), *floor == '2' && floor[1] == 0
                                                 ? "numbers up to 3 would be assigned a second time"
                                                 : "far above all others"));
  }
  team.List(", numbers: at-landing", "min_revctl: \"0.1\"\n");
  CHECK(Has(team.Refused("no floor"), "numbers up to 3 would be assigned a second time"));
}

TEST_CASE("policy attack: purged names stay purged, and no others become purged", "[server]") {
  Scene team;
  team.List(", purged: [SR_OF_BOB]");
  CHECK(Has(team.Refused("a name that never landed"), "SR_OF_BOB has never landed"));
  REQUIRE(team.Revctl("ann", {"reserve", "SR_NEXT"}).status == 0);
  REQUIRE(team.PushCommit("next") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.List(", oldest: SR_FOULS");
  REQUIRE(team.PushCommit("oldest") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  REQUIRE(team.Revctl("ann", {"purge", "--below", "SR_FOULS"}).status == 0);
  REQUIRE(team.PushCommit("purged") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  std::string policy = team.sandbox.Read("ann/.revctl.yaml");
  const std::size_t name = policy.find("SR_INITIAL");
  REQUIRE(name != std::string::npos);
  team.sandbox.Write("ann/.revctl.yaml", policy.replace(name, 10, "SR_NEXT"));
  CHECK(Has(team.Refused("another name"), "SR_INITIAL was purged, but could land again"));
}

TEST_CASE("policy attack: goldens that are pending on the target must stay", "[server]") {
  Scene team;
  team.List(", golden: golden");
  REQUIRE(team.PushCommit("goldens") == "");
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes"}).status == 0);
  team.Unguarded("numbers at landing");
  REQUIRE(team.Revctl("ann", {"reserve", "SR_NEW", "-m", "new"}).status == 0);
  team.sandbox.Write("ann/src/x.cpp", "int x = SR_NEW;\n");
  const std::string record = "ann/golden/SR_NEW.yaml", payload = "ann/golden/SR_NEW.golden";
  team.sandbox.Write(record, Record("SR_NEW", "one", "auto-1"));
  team.sandbox.Write(payload, NoBytes());
  REQUIRE(team.PushCommit("pending") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Write(payload, "efgh");
  CHECK(Has(team.Refused("a payload"), "was edited, but that revision is pending on main"));
  team.sandbox.Git("ann", {"rm", "-q", "golden/SR_NEW.golden"});
  CHECK(Has(team.Refused("no payload"), "was removed, but that revision is pending on main"));
  team.sandbox.Write(record, Record("SR_NEW", "two", "auto-2"));
  team.sandbox.Write(payload, "efgh");
  CHECK(Has(team.Refused("a golden is left out"),
            "only a fold may record it again, and only if it is stale"));
  team.sandbox.Write(record, Record("SR_NEW", "two", "auto-1"));
  team.sandbox.Write(payload, "efgh");
  CHECK(Has(team.Refused("a refresh"), "only a fold may record it again, and only if it is stale"));
}

TEST_CASE("policy attack: a new release keeps the goldens that it was cut with", "[server]") {
  Scene team;
  team.List(", golden: golden", "releases: [\"release/*\"]\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", "record\n");
  team.sandbox.Write("ann/golden/SR_FOULS.golden", "payload\n");
  REQUIRE(team.PushCommit("goldens") == "");
  const std::string sound = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  REQUIRE(team.Push({"HEAD:refs/heads/release/1"}) == "");
  REQUIRE(team.Push({":refs/heads/release/1"}) == "");
  team.sandbox.Write("ann/golden/SR_FOULS.golden", "other\n");
  CHECK(Has(team.PushCommit("edited", "refs/heads/release/1"),
            "the golden of the landed SR_FOULS was edited"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  team.sandbox.Git("ann", {"rm", "-rq", "golden"});
  CHECK(Has(team.PushCommit("none", "refs/heads/release/2"),
            "the golden of the landed SR_FOULS was removed"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", sound});
  team.List("", "releases: [\"release/*\"]\n");
  CHECK(Has(team.PushCommit("elsewhere", "refs/heads/release/3"),
            "a new release must keep its goldens"));
}

TEST_CASE("policy attack: attributes must not change goldens", "[server]") {
  Scene team;
  team.List(", golden: golden");
  const std::string payload = "ann/golden/SR_FOULS.golden", record = "ann/golden/SR_FOULS.yaml",
                    list = std::string("/") + Team::kList + " merge=revctl\n";
  team.sandbox.Write(record, "record\n");
  team.sandbox.Write(payload, "a\nb $Id$\n");
  // Make the files older than git's index. Otherwise, git would have to re-read them, which some of
  // these attributes prevent.
  for (const std::string& file : {payload, record})
    std::filesystem::last_write_time(
        team.sandbox.Path(file),
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  REQUIRE(team.PushCommit("goldens") == "");
  team.sandbox.Git("ann", {"fetch", "-q"});
  for (const char* attack :
       {"*.golden text eol=crlf", "*.golden eol=crlf", "*.golden text", "* text=auto",
        "*.golden working-tree-encoding=UTF-16", "golden/* filter=x", "* ident",
        "golden/*.yaml working-tree-encoding=UTF-16", "[attr]odd eol=crlf\n*.golden odd"}) {
    INFO(attack);
    team.sandbox.Write("ann/.gitattributes", list + attack + "\n");
    const std::string said = team.Refused("attributes");
    CHECK(Has(said, "RV019"));
    CHECK(Has(said, "so the checked-out file may differ from the commit"));
  }
  team.sandbox.Write("ann/golden/.gitattributes", "*.golden eol=crlf\n");
  CHECK(Has(team.Refused("attributes"), "sets eol=crlf for golden/SR_FOULS.golden"));
  for (const char* sound :
       {"* text=auto\n*.golden binary", "*.yaml text eol=crlf", "* text eol=lf",
        "*.golden filter=lfs -text", "* text=auto ident\n*.golden -text -ident"}) {
    INFO(sound);
    team.sandbox.Write("ann/.gitattributes", list + sound + "\n");
    CHECK(team.PushCommit("attributes") == "");
    team.sandbox.Git("ann", {"fetch", "-q"});
    CHECK(team.Revctl("ann", {"check"}).status == 0);
  }
  // Lines of records may end with LF or CRLF.
  team.sandbox.Write("ann/.gitattributes", list + "*.yaml text eol=crlf\n");
  REQUIRE(team.PushCommit("records end lines with CRLF") == "");
  team.sandbox.Git(".", {"clone", "-q", team.Url(), "crlf"});
  REQUIRE(team.sandbox.Read("crlf/golden/SR_FOULS.yaml") == "record\r\n");
  CHECK(team.Revctl("crlf", {"check"}).status == 0);
  team.sandbox.Write("ann/.gitattributes", list);
  team.sandbox.Write(record, "record\r\n");
  CHECK(Has(team.Refused("a record with other bytes"), "RV019"));
  team.sandbox.Write(record, "record\n");
  // The printed fix works.
  team.sandbox.Write("ann/.gitattributes", list + "*.golden eol=crlf\n");
  const std::string said = team.PushCommit("attributes");
  const std::size_t at = said.find("fix: "), end = said.find('\n', at);
  REQUIRE(end != said.npos);
  REQUIRE(team.sandbox.Run("ann", {"sh", "-c", said.substr(at + 5, end - at - 5)}).status == 0);
  CHECK(team.PushCommit("fixed") == "");
}

TEST_CASE("policy attack: a branch's policy protects only that branch", "[server]") {
  Attacked team;
  const std::string policy = "version: 1\nlists: [{path: evil.h}]\ntarget: zz\n";
  team.sandbox.Git("ann", {"rm", "-q", ".revctl.yaml"});
  team.sandbox.Write("ann/game/.revctl.yaml", "version: 1\nlists: [{path: src/list.h}]\n");
  team.sandbox.Write("ann/game/src/list.h", "enum Revision {\n    SR_INITIAL=1,\n};\n");
  team.sandbox.CommitAll("ann", "a project in a folder");
  team.sandbox.Git("ann", {"push", "-q", "--no-verify", team.sandbox.Path("srv/game.git"),
                           "HEAD:refs/heads/plain"});
  team.sandbox.Git("srv/game.git", {"update-ref", "refs/heads/main", "refs/heads/plain"});
  team.sandbox.Git("ann", {"fetch", "-q"});
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "zz"});
  const auto evil = [&](const std::string& more) {
    team.sandbox.Write("ann/.revctl.yaml", policy + more);
    team.sandbox.Write("ann/evil.h", "enum Revision {\n    SR_EVIL=1,\n};\n");
    return team.PushCommit("evil", "refs/heads/zz");
  };
  CHECK(evil("releases: [\"f*\", \"m*\", \"b*\"]\nledger: refs/x/v1\n") == "");
  // `releases` and `ledger` in this branch's config protect the branch itself, but do not affect
  // other branches.
  const std::string own = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "feature", "origin/main"});
  team.sandbox.Write("ann/README", "text\n");
  CHECK(team.PushCommit("readme") == "");
  CHECK(team.Push({"HEAD:refs/heads/feature"}) == "");
  CHECK(team.Push({"HEAD:refs/x/v1"}) == "");
  team.sandbox.Git("ann", {"checkout", "-q", "zz"});
  team.sandbox.Write("ann/evil.h", "enum Revision {\n    SR_EVIL=2,\n};\n");
  CHECK(Has(team.PushCommit("another number", "refs/heads/zz"), "RV004"));
  CHECK(team.Push({":refs/heads/zz"}) == "");
  // The config of a branch that names HEAD's branch as its target does not affect other branches.
  team.sandbox.Git("ann", {"reset", "-q", "--hard", own});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: evil.h}]\nreleases: [\"f*\"]\n");
  CHECK(team.PushCommit("for main", "refs/heads/zz") == "");
  team.sandbox.Git("ann", {"checkout", "-q", "feature"});
  CHECK(team.Push({"HEAD:refs/heads/fine"}) == "");
  // Once HEAD's branch contains the config, it applies to all branches.
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: list.h}]\nreleases: [\"f*\"]\n");
  team.sandbox.Write("ann/list.h", "enum Revision {\n    SR_INITIAL=1,\n};\n");
  CHECK(team.PushCommit("adopted") == "");
  team.sandbox.Write("ann/list.h", "enum Revision {\n    SR_INITIAL=7,\n};\n");
  CHECK(Has(team.PushCommit("another number", "refs/heads/firm"), "RV018"));
}

TEST_CASE("policy attack: in CI, the server's HEAD determines the target", "[server]") {
  Attacked team;
  PushBranchOfMine(team, "target: mine\n");
  const auto judged = [&](const std::string& clone) {
    const auto run = team.Revctl(clone, {"check"}, {"CI=true"});
    INFO(clone << run.out << run.err);
    CHECK(run.status == 1);
    CHECK(Has(run.out, "RV004"));
    CHECK(Has(run.out, "this change removes a protection (target)"));
    CHECK(Has(run.out, "compared with origin/main"));
  };
  team.sandbox.Git(".", {"clone", "-q", "-b", "pr", team.Url(), "ci"});
  judged("ci");
  team.sandbox.Git(".", {"clone", "-q", "-b", "pr", "--single-branch", team.Url(), "one"});
  judged("one");
  team.sandbox.NewRepository("fetched", "ci");
  team.sandbox.Git("fetched", {"remote", "add", "origin", team.Url()});
  team.sandbox.Git("fetched", {"fetch", "-q", "origin", "pr"});
  team.sandbox.Git("fetched", {"checkout", "-q", "FETCH_HEAD"});
  const auto run = team.Revctl("fetched", {"check"}, {"CI=true"});
  CHECK(run.status == 1);
  CHECK(Has(run.out, "this change removes a protection (target)"));
}

TEST_CASE("policy attack: in CI, a change cannot turn itself into a release", "[server]") {
  Attacked team;
  PushBranchOfMine(team, "releases: [\"mine\"]\n");
  team.sandbox.Git(".", {"clone", "-q", "-b", "pr", team.Url(), "ci"});
  const auto run = team.Revctl("ci", {"check"}, {"CI=true"});
  CHECK(run.status == 1);
  CHECK(Has(run.out, "RV004"));
}
