// Attacks on the server's gate with trees, refs and attributes. For attacks with configs and
// ledgers, see ended_protection_test.cpp and policy_changes_test.cpp.
#include <catch2/catch.hpp>

#include "tests/scenarios/attacked.h"

using namespace revctl::testing;

TEST_CASE("attack: another name for the target branch is protected, too", "[server]") {
  Attacked team;
  team.sandbox.Git("srv/game.git", {"symbolic-ref", "refs/heads/trunk", "refs/heads/main"});
  team.EditLanded();
  CHECK(Has(team.PushCommit("landed numbers", "refs/heads/trunk"), "SR_FOULS"));
  CHECK(Has(team.Push({":refs/heads/trunk"}), "must not be deleted"));
  team.sandbox.Git("srv/game.git", {"symbolic-ref", "refs/revctl/also", "refs/revctl/ledger"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(Has(team.Push({"-f", "HEAD:refs/revctl/also"}), "must not be rewritten"));
}

TEST_CASE("attack: no ref can block the ledger's name", "[server]") {
  Attacked team;
  CHECK(Has(team.Push({"HEAD:refs/revctl/ledger/x"}), "conflicts with the name of the ledger"));
  CHECK(team.Push({"HEAD:refs/revctl/ledgers"}).empty());
  CHECK(team.Revctl("bob", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
}

TEST_CASE("attack: attributes cannot change the list on checkout", "[server]") {
  Attacked team;
  const std::string list = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList, "// $Id$\n" + list);
  REQUIRE(team.PushCommit("what attributes expand").empty());
  const std::string before = team.sandbox.Git("ann", {"rev-parse", "HEAD"});
  for (const char* line : {"working-tree-encoding=UTF-7", "ident", "filter=other"}) {
    for (const char* place : {"ann/.gitattributes", "ann/src/.gitattributes"}) {
      INFO(line << " in " << place);
      team.sandbox.Write(place, std::string("*.h merge=revctl ") + line + "\n");
      team.sandbox.CommitAll("ann", "an attribute");
      const std::string attribute = std::string(line).substr(0, std::string(line).find('='));
      CHECK(Has(team.Push({"HEAD:main"}), attribute));
      CHECK(Has(team.Revctl("ann", {"check"}).out, attribute));
      team.sandbox.Git("ann", {"reset", "-q", "--hard", before});
    }
  }
  // In a work tree, uncommitted attributes also take effect.
  for (const char* place : {"ann/.gitattributes", "ann/src/.gitattributes"}) {
    team.sandbox.Write(place, "*.h merge=revctl filter=other\n");
    CHECK(Has(team.Revctl("ann", {"check"}).out, "filter=other"));
    team.sandbox.Git("ann", {"clean", "-qfd"});
    team.sandbox.Git("ann", {"checkout", "-q", "."});
  }
  // Filters on the config are rejected, because they would prevent clones from reading it.
  team.sandbox.Write("ann/.gitattributes", "*.yaml filter=other\n");
  team.sandbox.CommitAll("ann", "an attribute");
  CHECK(Has(team.Push({"HEAD:main"}), ".gitattributes sets filter=other for .revctl.yaml"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", before});
  team.sandbox.Write("ann/.gitattributes", "*.h merge=revctl text eol=crlf -ident\n");
  CHECK(team.PushCommit("line ends").empty());
}

TEST_CASE("attack: included files cannot add entries", "[server]") {
  Attacked team;
  const std::string list = std::string("ann/") + Team::kList;
  const auto with = [&](const std::string& lines, const std::string& before) {
    std::string text = Team::kListText;
    text.insert(text.find(before), lines);
    return text;
  };
  const auto refused = [&](const std::string& why) {
    team.sandbox.CommitAll("ann", "an attack");
    const std::string said = team.Push({"HEAD:main"});
    CHECK(Has(said, why));
    const auto checked = team.Revctl("ann", {"check"});
    CHECK(checked.status == 1);
    CHECK(Has(checked.out, why));
    team.sandbox.Git("ann", {"reset", "-q", "--hard", "origin/main"});
  };
  for (const std::string name : {"evil", "master_version_list"}) {
    const std::string file = name + ".pending.inc";
    team.sandbox.Write("ann/src/" + file, "SR_EVIL=2,\n");
    team.sandbox.Write(
        list, with("#if __has_include(\"" + file + "\")\n#include \"" + file + "\"\n#endif\n",
                   "    SR_FOULS"));
    refused(name == "evil" ? "cannot read entries from another file" : "has `numbers: at-reserve`");
  }
  // A change that switches to numbers at landing must put the lines that include pending revisions
  // in the right place.
  REQUIRE(team.Revctl("ann", {"init", "--numbers", "at-landing", "--yes", "--offline"}).status ==
          0);
  std::string text = team.sandbox.Read(list);
  const std::size_t block = text.find("#if __has_include"), end = text.find("#endif\n") + 7;
  const std::string lines = text.substr(block, end - block);
  text.erase(block, end - block).insert(text.find("    SR_FOULS"), lines);
  team.sandbox.Write(list, text);
  refused("are before SR_FOULS");
}

TEST_CASE("attack: one blob used as many lists does not exhaust the server's memory", "[server]") {
  Attacked team;
  const std::string large = "enum R { SR_A = 1 };\n" + std::string(std::size_t{3} << 20, ' ');
  std::string policy = "version: 1\nlists:\n- path: " + std::string(Team::kList) + "\n";
  for (int i = 0; i < 6; ++i) {
    const std::string name = "l" + std::to_string(i);
    team.sandbox.Write("ann/" + name + ".h", large);
    policy += "- {path: " + name + ".h, name: " + name + "}\n";
  }
  team.sandbox.Write("ann/.revctl.yaml", policy);
  CHECK(Has(team.PushCommit("six lists"), "exceed 16 MiB in total"));
  team.sandbox.Git("ann", {"reset", "-q", "origin/main"});
  policy.resize(policy.rfind("- {"));
  team.sandbox.Write("ann/.revctl.yaml", policy);
  CHECK(team.PushCommit("five lists").empty());
}

TEST_CASE("attack: checking many commits with large lists has a limit", "[.][large][server]") {
  Attacked team;
  const auto push = [&](int commits) {
    std::string text = Team::kListText, import;
    text += "// " + std::string(std::size_t{3} << 20, ' ');
    for (int i = 0; i < commits; ++i) {
      const std::string list = text + std::to_string(i) + "\n";
      import += "commit refs/attack/line\ncommitter eve <e@x> 1700000000 +0000\ndata 1\nx\n" +
                std::string(i == 0 ? "from refs/remotes/origin/main\n" : "") + "M 100644 inline " +
                Team::kList + "\ndata " + std::to_string(list.size()) + "\n" + list + "\n";
    }
    team.sandbox.Run("ann", {"git", "fast-import", "--quiet", "--force"}, {}, import);
    return team.Push({"refs/attack/line:main"});
  };
  CHECK(Has(push(24), "more than 64 MiB of lists to check"));
  CHECK(push(4).empty());
}

TEST_CASE("attack: an ambiguous ref is not accepted as the target", "[server]") {
  Attacked team;
  team.EditLanded();
  team.sandbox.CommitAll("ann", "landed numbers");
  REQUIRE(team.Push({"HEAD:refs/tags/origin/main"}).empty());
  team.sandbox.Git("ann", {"tag", "origin/main"});
  const auto checked = team.Revctl("ann", {"check", "--target", "origin/main"});
  CHECK(checked.status == 3);
  CHECK(Has(checked.err, "refs/remotes/origin/main"));
  CHECK(team.Revctl("ann", {"check", "--target", "refs/remotes/origin/main"}).status == 1);
  CHECK(team.Revctl("ann", {"check"}).status == 1);
}

TEST_CASE("attack: the branch whose config protects others cannot be deleted", "[server]") {
  Attacked team;
  team.sandbox.Git("srv/game.git", {"branch", "front", "main"});
  team.sandbox.Git("srv/game.git", {"symbolic-ref", "HEAD", "refs/heads/front"});
  team.sandbox.Git("srv/game.git", {"config", "receive.denyDeleteCurrent", "ignore"});
  CHECK(Has(team.Push({":refs/heads/front"}), "so nothing would protect main"));
}

TEST_CASE("attack: deeply nested folders stop neither the server nor a clone", "[server]") {
  for (const bool guarded : {true, false}) {
    Attacked team(guarded);
    REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    std::string path;
    for (int depth = 0; depth < 1200; ++depth) path += "a/";
    team.sandbox.Run(
        "ann", {"git", "fast-import", "--quiet"}, {},
        "commit refs/deep\ncommitter eve <e@x> 1700000000 +0000\ndata 6\ncreate\nfrom " +
            std::string(Attacked::kCopy) + "\nM 100644 inline " + path + "x\ndata 1\nx\n");
    const std::string deep = "refs/deep";
    const std::string said = team.Push({deep + ":refs/revctl/ledger"});
    CHECK(said.empty() != guarded);
    if (guarded) CHECK(Has(said, "nested too deeply"));
    CHECK(team.Revctl("bob", {"reserve", "SR_STAMINA"}).out == "SR_STAMINA = 4\n");
  }
}
