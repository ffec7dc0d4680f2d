// Tests merges with several merge bases or none, renamed lists, and CRLF line endings.
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("merge: both sides add the list", "[merge]") {
  Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.revctl.yaml", Team::kConfig);
  sandbox.Write("r/.gitattributes", std::string("/") + Team::kList + " merge=revctl\n");
  sandbox.CommitAll("r", "no list yet");
  REQUIRE(sandbox.Revctl("r", {"install"}).status == 0);
  for (const std::string name : {"one", "two"}) {
    sandbox.Git("r", {"checkout", "-q", "-b", name, "main"});
    sandbox.Write(std::string("r/") + Team::kList,
                  "enum Revision {\n    SR_INITIAL=1,\n    SR_" + name + "=2,\n};\n");
    sandbox.Git("r", {"add", "-A"});
    sandbox.Git("r", {"commit", "-q", "--no-verify", "-m", name});
  }
  auto merged = sandbox.TryGit("r", {"merge", "-q", "--no-edit", "one"});
  INFO(merged.out << merged.err << sandbox.Read(std::string("r/") + Team::kList));
  CHECK(merged.status == 0);
  CHECK(sandbox.Read(std::string("r/") + Team::kList) ==
        "enum Revision {\n    SR_INITIAL=1,\n    SR_one=2,\n    SR_two=3,\n};\n");
}

namespace {

void Add(const Sandbox& sandbox, const std::string& file, const std::string& line) {
  std::string text = sandbox.Read(file);
  text.insert(text.rfind("};"), line);
  sandbox.Write(file, text);
}

}  // namespace

TEST_CASE("merge: the work tree's line endings are not a change", "[merge]") {
  Team team;
  team.sandbox.Write("ann/.gitattributes",
                     "/src/master_version_list.h merge=revctl text eol=crlf\n");
  team.sandbox.Git("ann", {"add", "--renormalize", "."});
  team.Land("ann");
  for (const char* person : {"ann", "bob"}) {
    team.InstallDriver(person);
    team.sandbox.Git(person, {"pull", "-q"});
    std::filesystem::remove(team.sandbox.Path(std::string(person) + "/" + Team::kList));
    team.sandbox.Git(person, {"checkout", "-q", "--", Team::kList});
  }
  REQUIRE(team.List("ann").find("\r\n") != std::string::npos);
  CHECK(team.Revctl("ann", {"check"}).status == 0);
  CHECK(team.Revctl("ann", {"reserve", "SR_BOSS", "-m", "boss"}).status == 0);
  CHECK(team.List("ann").find("SR_BOSS=3,// a: boss\r\n") != std::string::npos);
  team.Land("ann");
  Add(team.sandbox, std::string("bob/") + Team::kList, "    SR_STAMINA=3,\r\n");
  team.sandbox.Git("bob", {"commit", "-q", "-am", "stamina"});
  team.sandbox.Git("bob", {"pull", "-q", "--no-rebase", "--no-edit"});
  INFO(team.List("bob"));
  CHECK(team.Numbers("bob") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=4");
  CHECK(team.List("bob").find("SR_STAMINA=4,\r\n") != std::string::npos);
  CHECK(team.sandbox.Git("bob", {"status", "--porcelain"}).empty());
  CHECK(team.Revctl("bob", {"check"}).out.find("RV017") == std::string::npos);
}

TEST_CASE("merge: a criss-cross history", "[merge]") {
  Team team;
  team.InstallDriver("bob");
  const Sandbox& sandbox = team.sandbox;
  sandbox.Git("bob", {"checkout", "-q", "-b", "one"});
  Add(sandbox, std::string("bob/") + Team::kList, "    SR_ONE=3,\n");
  sandbox.Git("bob", {"commit", "-q", "-am", "one"});
  sandbox.Git("bob", {"checkout", "-q", "-b", "two", "main"});
  Add(sandbox, std::string("bob/") + Team::kList, "    SR_TWO=3,\n");
  sandbox.Git("bob", {"commit", "-q", "-am", "two"});
  // A criss-cross merge with two merge bases.
  sandbox.Git("bob", {"branch", "two-before"});
  sandbox.Git("bob", {"merge", "-q", "--no-edit", "one"});
  sandbox.Git("bob", {"checkout", "-q", "one"});
  sandbox.Git("bob", {"merge", "-q", "--no-edit", "two-before"});
  Add(sandbox, std::string("bob/") + Team::kList, "    SR_THREE=5,\n");
  sandbox.Git("bob", {"commit", "-q", "-am", "three"});
  sandbox.Git("bob", {"merge", "-q", "--no-edit", "two"});
  const std::string numbers = team.Numbers("bob");
  CHECK(numbers.starts_with("SR_INITIAL=1 SR_FOULS=2 "));
  for (const char* name : {"SR_ONE=", "SR_TWO=", "SR_THREE="})
    CHECK(numbers.find(name) != std::string::npos);
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Revctl("bob", {"check"}).status == 0);
}
