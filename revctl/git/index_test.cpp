#include "revctl/git/index.h"

#include <catch2/catch.hpp>

#include "tests/support/must.h"
#include "tests/support/sandbox.h"

using namespace revctl;
using testing::Must;
using Kind = git::Place::Kind;

TEST_CASE("git: attributes of the work tree, the index, a commit and given files", "[git]") {
  testing::Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.gitattributes", "*.h merge=one\n");
  sandbox.CommitAll("r", "first");
  const std::string commit = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Write("r/.gitattributes", "*.h merge=two\n");
  sandbox.Git("r", {"add", "."});
  const std::string staged = sandbox.Git("r", {"rev-parse", ":.gitattributes"});
  sandbox.Write("r/.gitattributes", "*.h merge=three\n");
  const auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  const auto merge = [&](const git::AttributeSource& source) {
    const auto found = Must(git::AttributesOf(*repository, source, {"merge"}, {"a b.h", "c.txt"}));
    REQUIRE(found.size() == 2);
    CHECK(found[0].path == "a b.h");
    CHECK(found[1].value == "unspecified");
    return found[0].value;
  };
  CHECK(merge({}) == "three");
  CHECK(merge({{Kind::Index}}) == "two");
  CHECK(merge({{Kind::Commit, commit}}) == "one");
  CHECK(merge({{Kind::Commit, commit}, std::vector<git::TreeFile>{{".gitattributes", staged}}}) ==
        "two");
}

TEST_CASE("git: searches files and lines in the given place", "[git]") {
  testing::Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/a.h", "SR_ONE\n");
  sandbox.CommitAll("r", "first");
  const std::string commit = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Write("r/b:1.h", "x SR_ONE(y)\nSR_ONE_MORE\n");
  const auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  using Lines = std::vector<std::string>;
  CHECK(Must(git::LinesWithWords(*repository, {Kind::Commit, commit}, {"SR_ONE"})) ==
        Lines{"a.h:1:SR_ONE"});
  CHECK(Must(git::LinesWithWords(*repository, {}, {"SR_ONE"})) ==
        Lines{"a.h:1:SR_ONE", "b:1.h:1:x SR_ONE(y)"});
  CHECK(Must(git::FilesWithAny(*repository, {Kind::Index}, {"(y)", "SR_ONE"})) == Lines{"a.h"});
  CHECK(Must(git::FilesWithAny(*repository, {}, {"(y)"})) == Lines{"b:1.h"});
  CHECK(Must(git::FilesMatchingAll(*repository, {"^x", "MORE$"})) == Lines{"b:1.h"});
  CHECK(Must(git::FilesMatchingAll(*repository, {"^x", "none"})).empty());
  CHECK(Must(git::LinesMatching(*repository, "ONE($|_)")) ==
        Lines{"a.h:1:SR_ONE", "b:1.h:2:SR_ONE_MORE"});
  CHECK(Must(git::LinesMatching(*repository, "none")).empty());
  CHECK(Must(git::TrackedFiles(*repository, "a.h")) == Lines{"a.h"});
  CHECK(Must(git::UntrackedFiles(*repository)) == Lines{"b:1.h"});
}
