// Runs the usual commands over HTTP and SSH, with real servers that authenticate users. All other
// tests use git://.
#include <catch2/catch.hpp>

#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("transports: reserve, gate, land, and the server's rejections", "[transports]") {
  const auto [transport, name] =
      GENERATE(std::pair(Transport::Http, "http"), std::pair(Transport::Ssh, "ssh"));
  INFO(name);
  const std::vector<std::string> people = {"ann", "bob", "eve", "joe"};
  Team team(people, transport);
  REQUIRE(team.Url().starts_with(std::string(name) + "://"));
  team.GuardServer();
  CHECK(team.ReserveAtOnce(people) == std::vector<int>{3, 4, 5, 6});
  CHECK(team.Revctl("ann", {"check", "--fetch"}).status == 0);
  team.Land("ann");

  // Bob's number may be above or below Ann's. In either case, he can land after renumbering.
  team.InstallDriver("bob");
  team.sandbox.CommitAll("bob", "bob's");
  team.sandbox.Git("bob", {"pull", "-q", "--rebase"});
  CHECK(team.Revctl("bob", {"fix"}).status == 0);
  CHECK(team.Revctl("bob", {"check", "--fetch"}).status == 0);
  team.Land("bob");

  // The hook's message reaches the client over every transport.
  team.sandbox.Git("eve", {"checkout", "-q", "--", "."});
  team.sandbox.Git("eve", {"pull", "-q"});
  AddByHand(team, "eve", "SR_BY_HAND=99,");
  team.sandbox.CommitAll("eve", "by hand");
  auto refused = team.sandbox.TryGit("eve", {"push", "origin", "HEAD:main"});
  CHECK(refused.status != 0);
  CHECK(refused.err.find("RV011") != std::string::npos);

  // The ledger is also protected.
  CHECK(team.sandbox.TryGit("joe", {"push", "origin", ":refs/revctl/ledger"})
            .err.find("must not be deleted") != std::string::npos);
}

TEST_CASE("transports: the server rejects a reservation if the target has moved", "[transports]") {
  const auto [transport, name] =
      GENERATE(std::pair(Transport::Git, "git"), std::pair(Transport::Http, "http"),
               std::pair(Transport::Ssh, "ssh"));
  INFO(name);
  Team team({"ann", "bob"}, transport);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_FIRST"}).out == "SR_FIRST = 3\n");
  // Ann's copy of main is older than Bob's push, and the ledger does not contain Bob's number.
  AddByHand(team, "bob", "SR_BY_HAND=9,");
  team.Land("bob");
  auto reserved = team.Revctl("ann", {"reserve", "SR_SECOND"});
  INFO(reserved.err);
  CHECK(reserved.out == "SR_SECOND = 10\n");
  CHECK(team.sandbox.Git("srv/game.git", {"rev-list", "--count", "refs/revctl/ledger"}) == "2");
}

TEST_CASE("transports: an unknown user gets an error at once", "[transports]") {
  const auto [transport, file] =
      GENERATE(std::pair(Transport::Http, "http/credentials"), std::pair(Transport::Ssh, "ssh/id"));
  Team team({"ann"}, transport);
  REQUIRE(team.Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
  const std::string list = team.List("ann");
  std::filesystem::remove(team.sandbox.Path(file));
  for (const auto& command : {std::vector<std::string>{"reserve", "SR_X"},
                              {"check", "--fetch"},
                              {"reserve", "--dry-run"}}) {
    auto stranger = team.Revctl("ann", command);
    INFO(stranger.err);
    CHECK(stranger.status == 3);
    CHECK(stranger.err.find("remote origin cannot be reached") != std::string::npos);
  }
  CHECK(team.List("ann") == list);
  // A provisional number is available without the server.
  CHECK(team.Revctl("ann", {"reserve", "SR_X", "--offline"}).out == "SR_X = 4\n");
}
