#include "revctl/git/history.h"

#include <catch2/catch.hpp>

#include "tests/support/must.h"
#include "tests/support/sandbox.h"

using namespace revctl;
using testing::Must;

TEST_CASE("git: first-parent lines, deletions and blame", "[git]") {
  testing::Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  const auto commit = [&](const std::string& file, const std::string& text) {
    sandbox.Write("r/" + file, text);
    sandbox.CommitAll("r", file);
    return sandbox.Git("r", {"rev-parse", "HEAD"});
  };
  const auto first = commit("list", "one\n");
  sandbox.Git("r", {"checkout", "-q", "-b", "side"});
  const auto side = commit("side", "side\n");
  sandbox.Git("r", {"checkout", "-q", "main"});
  const auto second = commit("list", "one\ntwo\n");
  sandbox.Git("r", {"merge", "-q", "-m", "join", "side"});
  const auto merge = sandbox.Git("r", {"rev-parse", "HEAD"});
  const auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  const auto line = Must(git::FirstParentLine(*repository, merge, first));
  REQUIRE(line.size() == 2);
  CHECK(line[0].parents == std::vector<git::Oid>{second, side});
  CHECK(line[1].id == second);
  using Ids = std::vector<git::Oid>;
  CHECK(Must(git::FirstParentLineTouching(*repository, merge, first, {"list"})) == Ids{second});
  CHECK(Must(git::CommitsChanging(
            *repository, {.tips = {merge}, .without = {first}, .merges = false}, {"side"})) ==
        Ids{side});
  CHECK(Must(git::CommitsChangingLines(*repository, merge, "list", "two|one", 9)) ==
        Ids{second, first});
  CHECK(Must(git::CommitsChangingLines(*repository, merge, "list", "two|one", 1)) == Ids{second});
  const auto blamed = Must(git::BlameLine(*repository, merge, "list", 2));
  REQUIRE(blamed);
  CHECK(blamed->commit == second);
  CHECK(blamed->before == first);
  CHECK_FALSE(Must(git::BlameLine(*repository, merge, "list", 3)));
  sandbox.Git("r", {"rm", "-q", "list"});
  sandbox.CommitAll("r", "gone");
  const auto gone = sandbox.Git("r", {"rev-parse", "HEAD"});
  CHECK(Must(git::LastCommitDeleting(*repository, gone, merge, {"list"})) == gone);
  CHECK(Must(git::FilesDeletedBy(*repository, gone, "list")) == Ids{"list"});
  CHECK(Must(git::LastCommitDeleting(*repository, merge, first, {"list"})) == std::nullopt);
  CHECK(Must(git::FilesBetween(*repository, merge, gone)) == std::optional(Ids{"list"}));
  sandbox.Git("r", {"checkout", "-q", "-b", "apart", first});
  const auto apart = commit("apart", "apart\n");
  sandbox.Git("r", {"checkout", "-q", "main"});
  sandbox.Git("r", {"reset", "-q", "--hard", second});
  // HasContained() also finds the branch's former tips and their ancestors.
  for (const git::Oid& had : {gone, merge, side, second, first})
    CHECK(Must(git::HasContained(*repository, "main", had)));
  CHECK_FALSE(Must(git::HasContained(*repository, "main", apart)));
  CHECK_FALSE(Must(git::HasContained(*repository, "none", first)));
}
