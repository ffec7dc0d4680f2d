// Surroundings that are seldom seen, each once found by hand.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

namespace {}  // namespace

TEST_CASE("small: a golden that becomes executable is not edited", "[small]") {
  Team team({"ann"});
  team.sandbox.Write("ann/.revctl.yaml",
                     "version: 1\nlists: [{path: src/master_version_list.h, golden: golden}]\n");
  team.sandbox.Write("ann/golden/SR_FOULS.yaml", "recorded\n");
  team.Land("ann");
  namespace fs = std::filesystem;
  fs::permissions(team.sandbox.Path("ann/golden/SR_FOULS.yaml"), fs::perms::owner_all);
  CHECK_FALSE(Has(team.Revctl("ann", {"check"}).out, "RV019"));
  team.sandbox.CommitAll("ann", "executable");
  CHECK_FALSE(Has(team.Revctl("ann", {"check", "--head", "HEAD"}).out, "RV019"));
  // A link in its place is another file.
  fs::remove(team.sandbox.Path("ann/golden/SR_FOULS.yaml"));
  fs::create_symlink("../src", team.sandbox.Path("ann/golden/SR_FOULS.yaml"));
  team.sandbox.CommitAll("ann", "link");
  CHECK(Has(team.Revctl("ann", {"check", "--head", "HEAD"}).out, "RV019"));
}

TEST_CASE("small: a remote that is a mirror is told, with its mend", "[small]") {
  Team team({"ann"});
  team.sandbox.Git("ann", {"config", "remote.origin.mirror", "true"});
  const auto reserved = team.Revctl("ann", {"reserve", "SR_BOSS"});
  CHECK(reserved.status == 3);
  CHECK(Has(reserved.err, "fix: git config --unset remote.origin.mirror"));
  CHECK(Has(team.Revctl("ann", {"doctor"}).out, "fix: git config --unset remote.origin.mirror"));
  team.sandbox.Git("ann", {"config", "--unset", "remote.origin.mirror"});
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS"}).out == "SR_BOSS = 3\n");
}

TEST_CASE("small: the last comma on a line of its own", "[small]") {
  Team team({"ann"});
  const std::pair<std::string, std::string> lists[] = {
      {"enum R {\n  SR_A = 1,\n  SR_B = 2\n  ,\n};\n",
       "enum R {\n  SR_A = 1,\n  SR_B = 2\n  ,\n  SR_C = 3,\n};\n"},
      {"enum R {\n  SR_A,\n  SR_B // b\n  // end\n  , // comma\n};\n",
       "enum R {\n  SR_A,\n  SR_B // b\n  // end\n  , // comma\n  SR_C,\n};\n"},
      {"enum R {\n  SR_A,\n  SR_B\n, };\n", ""}};
  for (const auto& [before, after] : lists) {
    INFO(before);
    team.sandbox.Write(std::string("ann/") + Team::kList, before);
    const auto reserved = team.Revctl("ann", {"reserve", "SR_C"});
    INFO(reserved.err);
    CHECK(reserved.status == 0);
    CHECK(Has(team.Numbers("ann"), "SR_C=" + reserved.out.substr(7, reserved.out.size() - 8)));
    if (!after.empty() && Has(reserved.out, "= 3")) CHECK(team.List("ann") == after);
    REQUIRE(team.Revctl("ann", {"abandon", "SR_C"}).status == 0);
  }
}

TEST_CASE("small: init of a path that .revctl.yaml cannot hold", "[small]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/a\nb/list.h", "enum Revision { SR_A = 1 };\n");
  const auto run = sandbox.Revctl("r", {"init", "a\nb/list.h"});
  INFO(run.out << run.err);
  CHECK(run.status == 2);
  CHECK(Has(run.err, "'a\\x0ab/list.h' cannot be the path of a list"));
  CHECK_FALSE(sandbox.Exists("r/.revctl.yaml"));
  CHECK(sandbox.Git("r", {"for-each-ref", "refs/revctl"}).empty());
}
