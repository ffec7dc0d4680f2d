// Tests the output of `list`, `status`, and revctl without a command.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "revctl/session/session.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("revctl without a command: the state of the repository, and the next step", "[revctl]") {
  Team team;
  const auto says = [&](const std::string& person) {
    const auto said = team.Revctl(person, {});
    CHECK(said.status == 0);
    return said.out;
  };
  const std::string head = "src/master_version_list.h: 2 revisions, latest SR_FOULS = 2\n",
                    last = "all commands: revctl help\n", next = "next: ";
  CHECK(says("ann") == head +
                           "  nothing pending: same as on origin/main\nthe merge driver or a hook "
                           "is missing in this clone\nnext: revctl install, then revctl reserve "
                           "SR_NAME -m TEXT, for each change to the saved data\n" +
                           last);
  REQUIRE(team.Revctl("ann", {"install"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  CHECK(
      Has(says("ann"), "  SR_BOSS = 3: can land\nnext: revctl check --fetch, then revctl land\n"));
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  team.sandbox.Git("ann", {"fetch", "-q"});
  CHECK(Has(says("ann"), "  SR_BOSS = 3: its number is too low to land\nnext: revctl fix\n"));
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum R {\n  SR_INITIAL=1,\n<<<<<<< ours\n  SR_A=3,\n=======\n  SR_B=3,\n"
                     ">>>>>>> theirs\n};\n");
  CHECK(Has(says("ann"), "next: revctl fix"));
  CHECK(Has(team.Revctl("ann", {"status"}).err,
            std::string(Team::kList) + ":3: unresolved conflict markers\nfix: revctl fix\n"));
  // Outside a repository, revctl prints its commands. In a repository without a list, it prints the
  // command that creates one.
  const auto nowhere = team.sandbox.Revctl(".", {});
  CHECK(nowhere.status == 0);
  CHECK(nowhere.out == team.sandbox.Revctl(".", {"--help"}).out);
  team.sandbox.NewRepository("new", "ann");
  CHECK(Has(team.sandbox.Revctl("new", {}).err, "fix: revctl init\n"));
  CHECK(team.sandbox.Revctl(".", {"-C", "none"}).status != 0);
}

TEST_CASE("status: reservations that an old copy of the ledger lacks", "[status]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  REQUIRE(team.Revctl("bob", {"status", "--fetch"}).status == 0);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_STAMINA"}).status == 0);
  team.sandbox.CommitAll("ann", "two");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:refs/heads/two"});
  team.sandbox.Git("bob", {"fetch", "-q", "origin", "two"});
  team.sandbox.Git("bob", {"checkout", "-q", "FETCH_HEAD"});
  const auto check = team.Revctl("bob", {"check"});
  INFO(check.out);
  CHECK(Has(check.out, "in this clone's copy of the ledger from 20"));
  CHECK(Has(check.out, "revctl check --fetch"));
  const auto status = team.Revctl("bob", {"status"});
  INFO(status.out);
  CHECK(Has(status.out, "SR_STAMINA = 4  provisional: not in this clone's copy of the ledger"));
  CHECK(Has(status.out, "revctl status --fetch"));
  // After a fetch by `check` or `status`, the clone knows about the reservation.
  CHECK(team.Revctl("bob", {"check", "--fetch"}).status == 0);
  CHECK(Has(team.Revctl("bob", {"status"}).out, "SR_STAMINA = 4  pending: can land"));
}

TEST_CASE("status: how to give up a lost reservation", "[status]") {
  Team team({"ann"});
  REQUIRE(team.Revctl("ann", {"reserve", "SR_OLD"}).status == 0);
  team.sandbox.Git("ann", {"checkout", "-q", "--", Team::kList});
  const std::string command = "revctl abandon SR_OLD";
  const auto said = team.Revctl("ann", {"status"});
  INFO(said.out);
  CHECK(Has(said.out,
            "yours, but not in this list; it may be on another branch. To give it up: " + command));
  CHECK(team.sandbox.Run("ann", {"sh", "-c", command}).status == 0);
  CHECK_FALSE(Has(team.Revctl("ann", {"status"}).out, "SR_OLD"));
}

TEST_CASE("status --branches: branches whose numbers can no longer land", "[status]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  team.sandbox.CommitAll("ann", "boss");
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:boss"});
  CHECK(team.Revctl("bob", {"status", "--branches", "--fetch"}).out.empty());
  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  const std::string text = team.Revctl("bob", {"status", "--branches", "--fetch"}).out;
  CHECK(text.find("boss: SR_BOSS = 3 can no longer land (origin/main is at 4)") !=
        std::string::npos);
  CHECK(nlohmann::json::parse(team.Revctl("bob", {"status", "--branches", "--json"}).out)
            .at("branches")
            .at(0)
            .at("branch") == "boss");
  // Entries that the target has dropped in the meantime are not reported as the branch's own.
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD~:refs/heads/old"});
  std::string dropped = team.sandbox.Read("bob/" + std::string(Team::kList));
  const std::size_t at = dropped.find("    SR_FOULS");
  dropped.erase(at, dropped.find('\n', at) + 1 - at);
  team.sandbox.Write("bob/" + std::string(Team::kList), dropped);
  team.Land("bob");
  CHECK(team.Revctl("bob", {"status", "--branches", "--fetch"}).out == text);
}

TEST_CASE("status --branches: ignores revisions that the branch did not add itself", "[status]") {
  Team team;
  const auto entry = [&](const std::string& name) {
    REQUIRE(team.Revctl("ann", {"reserve", name}).status == 0);
    team.sandbox.CommitAll("ann", name);
  };
  // Two branches fork from the target, many commits apart. Then the target drops entries that both
  // branches still contain.
  for (const char* name : {"SR_P", "SR_Q"}) entry(name);
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "early"});
  entry("SR_EARLY");
  team.sandbox.Git("ann", {"push", "-q", "origin", "early"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  for (int i = 0; i < 10; ++i) {
    team.sandbox.Write("ann/notes.txt", std::to_string(i));
    team.sandbox.CommitAll("ann", "work " + std::to_string(i));
  }
  entry("SR_R");
  team.Land("ann");
  team.sandbox.Git("ann", {"checkout", "-q", "-b", "late"});
  entry("SR_LATE_1");
  entry("SR_LATE_2");
  team.sandbox.Git("ann", {"push", "-q", "origin", "late"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  entry("SR_S");
  const std::string list = "ann/" + std::string(Team::kList);
  std::string text = team.sandbox.Read(list);
  for (const char* dropped : {"    SR_P", "    SR_Q", "    SR_R"}) {
    const std::size_t at = text.find(dropped);
    REQUIRE(at != std::string::npos);
    text.erase(at, text.find('\n', at) + 1 - at);
  }
  team.sandbox.Write(list, text);
  team.Land("ann");
  const auto said =
      nlohmann::json::parse(team.Revctl("bob", {"status", "--branches", "--fetch", "--json"}).out);
  std::vector<std::string> lines;
  for (const auto& one : said.at("branches"))
    lines.push_back(one.at("branch").get<std::string>() + " " + one.at("name").get<std::string>());
  CHECK(lines == std::vector<std::string>{"early SR_EARLY", "late SR_LATE_1", "late SR_LATE_2"});
}

TEST_CASE("list: shows an entry whose number is taken, also as JSON", "[list]") {
  Team team;
  std::string text = Team::kListText;
  text.insert(text.rfind("};"), "    SR_BOSS=3,\n    SR_STAMINA=3,\n");
  team.sandbox.Write(std::string("ann/") + Team::kList, text);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3 SR_STAMINA=3");
  const auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
  const auto& revisions = json.at("lists").at(0).at("revisions");
  REQUIRE(revisions.size() == 4);
  CHECK(revisions.at(2).at("name") == "SR_BOSS");
  CHECK(revisions.at(3).at("name") == "SR_STAMINA");
  CHECK(revisions.at(3).at("number") == 3);
  CHECK(revisions.at(3).at("lineage") == revisions.at(2).at("lineage"));
}

TEST_CASE("list, status: revisions that are landed, pending or able to land", "[list]") {
  Team team;
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  auto json = nlohmann::json::parse(team.Revctl("ann", {"list", "--json"}).out);
  CHECK(json.at("version") == 1);
  const auto& list = json.at("lists").at(0);
  CHECK(list.at("path") == team.kList);
  CHECK(list.at("latest").at("name") == "SR_BOSS");
  CHECK(list.at("latest").at("number") == 3);
  CHECK(list.at("revisions").at(1).at("state") == "landed");
  CHECK(list.at("revisions").at(2).at("state") == "pending");
  CHECK(list.at("revisions").at(2).at("line") == 5);
  CHECK(list.at("aliases").empty());

  REQUIRE(team.Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
  team.Land("bob");
  auto late = team.Revctl("ann", {"status", "--fetch"});
  CHECK(late.out.find("SR_BOSS = 3  pending: cannot land: origin/main is at 4; revctl fix") !=
        std::string::npos);
}
