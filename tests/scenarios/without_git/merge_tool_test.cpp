// Tests `revctl merge-driver --landed SIDE` as the merge tool of other version control systems.
#include <catch2/catch.hpp>

#include "tests/scenarios/without_git/depot.h"

using namespace revctl::testing;

namespace {

struct Tool : Depot {
  /// Merges as `p4 resolve` does: YOURS is the file in the workspace, and the other files are
  /// temporary.
  revctl::base::ProcessResult Merge(const std::string& base, const std::string& theirs,
                                    const std::string& yours,
                                    const std::string& landed = "theirs") const {
    sandbox.Write("ws/base", base);
    sandbox.Write("ws/theirs", theirs);
    sandbox.Write(std::string("ws/") + kList, yours);
    sandbox.Write("ws/merged", "old");
    return Revctl({"merge-driver", "--landed", landed, "--", "base", "theirs", kList, "merged"});
  }
  std::string Merged() const { return sandbox.Read("ws/merged"); }
};

const Depot::Entries kBase = {{"SR_INITIAL", 1}, {"SR_FOULS", 2}};

std::string With(const Depot::Entries& more) {
  Depot::Entries all = kBase;
  all.insert(all.end(), more.begin(), more.end());
  return Depot::List(all);
}

}  // namespace

TEST_CASE("merge tool: the other side has landed, so yours comes after it",
          "[merge][without_git]") {
  const Tool tool;
  const auto merged = tool.Merge(With({}), With({{"SR_ARENA", 3}}), With({{"SR_BOSS", 3}}));
  INFO(merged.err);
  CHECK(merged.status == 0);
  CHECK(tool.Merged() == With({{"SR_ARENA", 3}, {"SR_BOSS", 4}}));
  CHECK(Has(merged.err, "treating `theirs` as landed"));
  CHECK_FALSE(Has(merged.err, "`revctl "));
  // YOURS itself stays unchanged, because the version control system copies MERGED over it.
  CHECK(tool.sandbox.Read(std::string("ws/") + Depot::kList) == With({{"SR_BOSS", 3}}));
}

TEST_CASE("merge tool: yours has landed, and a branch is merged into it", "[merge][without_git]") {
  const Tool tool;
  CHECK(tool.Merge(With({}), With({{"SR_ARENA", 3}}), With({{"SR_BOSS", 3}}), "yours").status == 0);
  CHECK(tool.Merged() == With({{"SR_BOSS", 3}, {"SR_ARENA", 4}}));
}

TEST_CASE("merge tool: an edited landed entry conflicts, but the rest is merged",
          "[merge][without_git]") {
  const Tool tool;
  const auto merged = tool.Merge(With({}), With({{"SR_ARENA", 3}}),
                                 Depot::List({{"SR_INITIAL", 1}, {"SR_FOULS", 5}, {"SR_BOSS", 6}}));
  INFO(merged.err << tool.Merged());
  CHECK(merged.status == 1);
  CHECK(Has(tool.Merged(), "<<<<<<< yours"));
  CHECK(Has(tool.Merged(), "SR_ARENA = 3"));
  CHECK(Has(tool.Merged(), "SR_BOSS"));
}

TEST_CASE("merge tool: temporary files, a path argument, and files that are not lists",
          "[merge][without_git]") {
  const Tool tool;
  tool.Merge(With({}), With({{"SR_ARENA", 3}}), With({{"SR_BOSS", 3}}));
  // SVN passes the path of the file in the working copy as the fifth argument.
  tool.sandbox.Write("ws/mine", With({{"SR_BOSS", 3}}));
  CHECK(tool.Revctl({"merge-driver", "--landed", "theirs", "--", "base", "theirs", "mine", "merged",
                     Depot::kList})
            .status == 0);
  CHECK(tool.Merged() == With({{"SR_ARENA", 3}, {"SR_BOSS", 4}}));
  // A file that is not a list is merged as text, and conflicts get markers.
  const auto text = tool.Merge("a\nb\n", "a\nc\n", "a\nd\n");
  CHECK(text.status == 1);
  CHECK(Has(text.err, "as plain text: "));
  CHECK(Has(tool.Merged(), "<<<<<<<"));
  CHECK(Has(tool.Merged(), "c\n"));
  CHECK(Has(tool.Merged(), "d\n"));
}

TEST_CASE("merge tool: explains mistakes", "[merge][without_git]") {
  const Tool tool;
  tool.Merge(With({}), With({}), With({}));
  const auto side =
      tool.Revctl({"merge-driver", "--landed", "mine", "--", "base", "theirs", "theirs", "merged"});
  CHECK(side.status == 2);
  CHECK(Has(side.err, "--landed theirs -- BASE THEIRS YOURS MERGED"));
  // Without --landed, the error shows the correct usage.
  const auto plain = tool.Revctl({"merge-driver", "base", "theirs", Depot::kList, "merged"});
  CHECK(plain.status == 2);
  CHECK(Has(plain.err, "--landed theirs -- BASE THEIRS YOURS MERGED"));
  CHECK(tool.Revctl({"merge-driver", "--landed", "theirs", "--", "none", "theirs", Depot::kList,
                     "merged"})
            .status == 3);
}
