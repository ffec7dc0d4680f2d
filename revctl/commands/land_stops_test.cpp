// land, where it stops: what is taken back, and what a plan leaves alone.
#include <catch2/catch.hpp>
#include <filesystem>

#include "revctl/commands/team_test.h"

using namespace revctl::testing;

namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Ann's branch has SR_BOSS, and bob has landed SR_STAMINA since.
struct Behind : Team {
  std::string start;

  explicit Behind(const std::string& land) {
    sandbox.Write("ann/.revctl.yaml", std::string(kConfig) + "land: {" + land + "}\n");
    Land("ann");
    sandbox.Git("bob", {"pull", "-q"});
    sandbox.Git("ann", {"checkout", "-q", "-b", "boss"});
    REQUIRE(Revctl("ann", {"reserve", "SR_BOSS"}).status == 0);
    sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, x);\n");
    sandbox.CommitAll("ann", "boss");
    start = HeadOfAnn();
    REQUIRE(Revctl("bob", {"reserve", "SR_STAMINA"}).status == 0);
    Land("bob");
  }
  std::string HeadOfAnn() const { return sandbox.Git("ann", {"rev-parse", "HEAD"}); }
  bool Clean() const { return sandbox.Git("ann", {"status", "--porcelain"}).empty(); }
};

}  // namespace

TEST_CASE("land: --abort takes back what was joined and numbered before it stopped", "[land]") {
  const std::string by = GENERATE("merge", "rebase");
  const Behind team("by: " + by + ", verify: \"false\"");
  const auto stopped = team.Revctl("ann", {"land"});
  INFO(stopped.out << stopped.err);
  CHECK(stopped.status == 1);
  CHECK(Has(stopped.err, "revctl land --abort takes boss back to " + team.start.substr(0, 10)));
  const std::string joined = team.HeadOfAnn();
  CHECK(joined != team.start);
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_STAMINA=4 SR_BOSS=5");
  // A commit that came since must not be lost.
  team.sandbox.Write("ann/src/more.cpp", "int more;\n");
  team.sandbox.CommitAll("ann", "more");
  const auto moved = team.Revctl("ann", {"land", "--abort"});
  CHECK(moved.status == 2);
  CHECK(Has(moved.err, "boss has moved since the landing stopped: it is left as it is"));
  team.sandbox.Git("ann", {"reset", "-q", "--hard", joined});
  const auto aborted = team.Revctl("ann", {"land", "--abort"});
  INFO(aborted.err);
  CHECK(aborted.status == 0);
  CHECK(team.HeadOfAnn() == team.start);
  CHECK(team.Clean());
  CHECK(team.Numbers("ann") == "SR_INITIAL=1 SR_FOULS=2 SR_BOSS=3");
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  CHECK(Has(team.Revctl("ann", {"land", "--abort"}).err, "no landing has begun"));
}

TEST_CASE("land: --continue stops again while a conflict is left", "[land]") {
  const std::string by = GENERATE("merge", "rebase");
  const Behind team("by: " + by);
  team.sandbox.Write("bob/src/boss.cpp", "int bobs;\n");
  team.Land("bob");
  CHECK(team.Revctl("ann", {"land"}).status == 1);
  CHECK(Has(team.Revctl("ann", {"land"}).err, "the landing of boss is stopped at a conflict"));
  const auto again = team.Revctl("ann", {"land", "--continue"});
  INFO(again.err);
  CHECK(again.status == 1);
  CHECK(Has(again.err, "conflict with origin/main"));
  CHECK(Has(again.err, "in src/boss.cpp"));
  team.sandbox.Write("ann/src/boss.cpp", "ADD(SR_BOSS, x);\nint bobs;\n");
  team.sandbox.Git("ann", {"add", "src/boss.cpp"});
  const auto landed = team.Revctl("ann", {"land", "--continue"});
  INFO(landed.err);
  CHECK(landed.status == 0);
  CHECK(Has(landed.out, "landed SR_BOSS = 5 on origin/main"));
  CHECK(Has(team.Revctl("ann", {"land", "--continue"}).err, "no landing is stopped"));
}

TEST_CASE("land: a plan leaves everything alone, also where it fails and where one was killed",
          "[land]") {
  const Behind team("by: merge, push: branch");
  team.sandbox.Git("ann", {"branch", "-q", "-f", "main", "boss"});
  team.sandbox.Git("ann", {"checkout", "-q", "main"});
  const auto failed = team.Revctl("ann", {"land", "--dry-run"});
  INFO(failed.err);
  CHECK(failed.status == 2);
  CHECK_FALSE(team.sandbox.Exists("ann/.git/revctl-land"));
  // Killed while it wrote numbers.
  team.sandbox.Git("ann", {"checkout", "-q", "boss"});
  team.sandbox.Write("ann/.git/revctl-land", "revctl-land 1\nbranch boss\nstart " + team.start +
                                                 "\nhead " + team.start + "\nphase numbers\n");
  std::string text = team.List("ann");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     text.replace(text.find("SR_BOSS=3"), 9, "SR_BOSS=5"));
  const std::string before = team.sandbox.Snapshot("ann");
  const auto planned = team.Revctl("ann", {"land", "--dry-run"});
  INFO(planned.out << planned.err);
  CHECK(planned.status == 2);
  CHECK(Has(planned.err, "what is not committed does not land: src/master_version_list.h"));
  CHECK(team.sandbox.Snapshot("ann") == before);
  CHECK(team.sandbox.Git("ann", {"stash", "list"}).empty());
  CHECK(Has(team.sandbox.Read("ann/.git/revctl-land"), "phase numbers"));
}
