// Tests that the fix in each finding works. Runs the printed commands, and makes the edits exactly
// as printed.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/scenarios/landers.h"

using namespace revctl::testing;

namespace {

/// A team whose list repeats the numbers in its comments.
struct CommentedList : Team {
  const std::string list = std::string("ann/") + kList;

  CommentedList() : Team({"ann"}) {
    sandbox.Write(list,
                  "enum Revision {\n    SR_INITIAL=1,// 1: first\n    SR_FOULS=2,// 2: fouls\n"
                  "    SR_BOSS=3,// 3: boss\n};\n");
    Land("ann");
  }
  void Edit(const std::string& file, const std::string& from, const std::string& to) const {
    std::string text = sandbox.Read(file);
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(file + " has no " + from);
    sandbox.Write(file, text.replace(at, from.size(), to));
  }
  /// Returns the fix that `check` prints for `rule`, or "" if there is no such finding.
  std::string Fix(const std::string& rule) const {
    const auto run = Revctl("ann", {"check", "--json"});
    const auto said = nlohmann::json::parse(run.out);
    for (const auto& one : said.at("findings")) {
      if (one.at("rule") == rule) return one.at("fix");
    }
    return "";
  }
  /// Checks that running `command` removes the finding.
  void ExpectFixed(const std::string& rule, const std::string& command) const {
    INFO(rule << ": " << command);
    const auto run = sandbox.Run("ann", {"sh", "-c", command});
    INFO(run.out << run.err << List("ann"));
    CHECK(run.status == 0);
    CHECK(Fix(rule) == "");
  }
};

}  // namespace

TEST_CASE("fixes: a renamed landed revision gets its name back", "[check][fixes]") {
  const CommentedList team;
  team.Edit(team.list, "SR_BOSS=3", "SR_BOSS = SR_FOULS");
  SECTION("nothing is pending") { CHECK(team.Fix("RV003") == "revctl fix"); }
  SECTION("a revision is pending") {
    team.Edit(team.list, "};", "    SR_NEW=4,\n};");
    CHECK(team.Fix("RV003") == "revctl fix");
  }
  team.ExpectFixed("RV003", team.Fix("RV003"));
  CHECK(Has(team.List("ann"), "    SR_BOSS=3,// 3: boss\n"));
}

TEST_CASE("fixes: a number too large for the enum or a file", "[check][fixes]") {
  const CommentedList team;
  SECTION("a smaller number is free") {
    const auto [type, number] =
        GENERATE(std::pair(" : signed char", "200"), std::pair(" : unsigned char", "-5"),
                 std::pair("", "3000000000"));
    team.Edit(team.list, "Revision", std::string("Revision") + type);
    team.Edit(team.list, "};", std::string("    SR_NEW=") + number + ",\n};");
    REQUIRE(team.Fix("RV014") == "revctl fix");
    team.ExpectFixed("RV014", "revctl fix");
    CHECK(Has(team.List("ann"), "    SR_NEW=4,\n"));
  }
  SECTION("no smaller number is free") {
    team.Edit(team.list, "Revision", "Revision : signed char");
    team.Edit(team.list, "SR_BOSS=3,// 3", "SR_BOSS=127,// 127");
    team.Land("ann");
    team.Edit(team.list, "};", "    SR_NEW=128,\n};");
    CHECK(team.Fix("RV014") == "change the enum's type from signed char to std::int16_t");
    team.Edit(team.list, "signed char", "std::int16_t");
    CHECK(team.Fix("RV014") == "");
  }
}

TEST_CASE("fixes: a name without the prefix, with either edit", "[check][fixes]") {
  const CommentedList team;
  const auto [name, meant] =
      GENERATE(std::pair("BOSS_TWO", "SR_BOSS_TWO"), std::pair("RS_TWO", "SR_TWO"),
               std::pair("SRTWO", "SR_SRTWO"), std::pair("S_TWO", "SR_S_TWO"),
               std::pair("sr_two", "SR_two"));
  const std::string line = std::string("    ") + name;
  team.Edit(team.list, "};", line + "=4,\n};");
  const std::string fix = team.Fix("RV009");
  CHECK(fix == std::string("if it is a revision, rename it to ") + meant +
                   "; otherwise, first land a commit that sets `aliases: [" + name +
                   "]` for this list in .revctl.yaml");
  SECTION("it should be a revision") { team.Edit(team.list, line, std::string("    ") + meant); }
  SECTION("it is another kind of name") {
    team.Edit(team.list, line + "=4,\n", "");
    team.Edit("ann/.revctl.yaml", "list.h", std::string("list.h, aliases: [") + name + "]");
    team.Land("ann");
    team.Edit(team.list, "};", line + "=4,\n};");
  }
  CHECK(team.Fix("RV009") == "");
}

TEST_CASE("fixes: a comment with an outdated number", "[check][fixes]") {
  const CommentedList team;
  SECTION("at the beginning of the comment") {
    team.Edit(team.list, "};", "    SR_NEW=4,//  5: new, 5 more\n};");
    CHECK(team.Fix("RV010") == "revctl fix");
    team.ExpectFixed("RV010", team.Fix("RV010"));
    CHECK(Has(team.List("ann"), "    SR_NEW=4,//  4: new, 5 more\n"));
  }
  SECTION("the comment of a landed entry that this change has edited") {
    team.Edit(team.list, "// 3:", "// 7:");
    team.ExpectFixed("RV010", team.Fix("RV010"));
    CHECK(Has(team.List("ann"), "    SR_BOSS=3,// 3: boss\n"));
  }
  SECTION("within the text, so a person must decide") {
    team.Edit(team.list, "};", "    SR_NEW=104,// was 103 in the draft\n};");
    CHECK(team.Fix("RV010") ==
          "write 104 instead of 103 in the comment; if 103 refers to another revision, write its "
          "name, too");
    team.Edit(team.list, "103", "104");
    CHECK(team.Fix("RV010") == "");
  }
}

TEST_CASE("fixes: a list that is unreadable or missing", "[check][fixes]") {
  const CommentedList team;
  const std::string path = Team::kList, there = "correct that line, or ";
  const auto command = [&](const std::string& fix, const std::string& begin) {
    REQUIRE(fix.starts_with(begin));
    const std::string rest = fix.substr(begin.size());
    return rest.substr(0, rest.find(" and "));
  };
  SECTION("only in the work tree") {
    team.Edit(team.list, "=3", "=1/0");
    const std::string fix = team.Fix("RV016");
    CHECK(fix == there + "git checkout HEAD -- " + path);
    team.ExpectFixed("RV016", command(fix, there));
  }
  SECTION("in a commit") {
    const std::string tip = team.sandbox.Git("ann", {"rev-parse", "HEAD"}).substr(0, 10);
    team.Edit(team.list, "=3", "=1/0");
    team.sandbox.CommitAll("ann", "broken");
    const std::string fix = team.Fix("RV016");
    CHECK(fix == there + "git checkout " + tip + " -- " + path +
                     " and then run revctl reserve for each new revision");
    team.ExpectFixed("RV016", command(fix, there));
  }
  SECTION("on the target, fixed by this branch's list") {
    team.Edit(team.list, "=3", "=1/0");
    team.Land("ann");
    team.Edit(team.list, "=1/0", "=3");
    team.sandbox.CommitAll("ann", "fixed");
    CHECK(team.Fix("RV016") == "revctl land, because this change repairs the list");
    team.ExpectFixed("RV016", "revctl land");
  }
  SECTION("it never existed") {
    team.Edit("ann/.revctl.yaml", "list.h}", "list.h}, {path: src/net.h, name: net, prefix: NET_}");
    const std::string begin = "correct `path` in .revctl.yaml, or create the list: ";
    team.ExpectFixed("RV016", command(team.Fix("RV016"), begin));
  }
  SECTION("`oldest` names nothing") {
    team.Edit("ann/.revctl.yaml", "list.h}", "list.h, oldest: SR_GONE}");
    const std::string fix = team.Fix("RV016"),
                      edit =
                          "set `oldest: SR_INITIAL`, or another revision of the list, in "
                          ".revctl.yaml";
    CHECK(fix == edit);
    team.Edit("ann/.revctl.yaml", "SR_GONE", "SR_INITIAL");
    CHECK(team.Fix("RV016") == "");
  }
  SECTION("git checks out a different file") {
    team.Edit(team.list, "enum", "// $Id$\nenum");
    team.sandbox.Write("ann/src/.gitattributes", "*.h ident\n");
    team.sandbox.CommitAll("ann", "ident");
    CHECK(team.Fix("RV016") ==
          "printf '\\n%s\\n' '/master_version_list.h -ident' >> src/.gitattributes");
    team.ExpectFixed("RV016",
                     team.Fix("RV016") + "; git add -A; git commit -q --no-verify -m fixed");
  }
}
