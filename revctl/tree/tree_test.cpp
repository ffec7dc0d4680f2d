#include "revctl/tree/tree.h"

#include <catch2/catch.hpp>

#include "tests/support/must.h"
#include "tests/support/sandbox.h"

using namespace revctl;
using commands::Tree;
using testing::Must;

namespace {

std::string ConfigOf(const std::string& path) {
  return "version: 1\nlists: [{name: main, path: " + path + ", numbers: at-landing}]\n";
}

std::string ListOf(const std::string& name) {
  return "enum Revision { SR_ONE = 1, " + name + " = 2 };\n";
}

std::string LastOf(const Tree& tree, const list::ListConfig& list) {
  const auto parsed = Must(tree.Parsed(list));
  return parsed ? parsed->Revisions().back()->name : "no list";
}

}  // namespace

TEST_CASE("tree: the same calls read the work tree, the index and commits", "[tree]") {
  const git::Library library;
  testing::Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.revctl.yaml", ConfigOf("old.h"));
  sandbox.Write("r/old.h", ListOf("SR_FIRST"));
  sandbox.Write("r/old.pending/SR_A.yaml", "message: a\n");
  sandbox.CommitAll("r", "first");
  const std::string first = sandbox.Git("r", {"rev-parse", "HEAD"});
  sandbox.Git("r", {"rm", "-q", "old.h"});
  sandbox.Write("r/.revctl.yaml", ConfigOf("new.h"));
  sandbox.Write("r/new.h", ListOf("SR_STAGED"));
  sandbox.Write("r/new.pending/SR_B.yaml", "message: b\n");
  sandbox.Git("r", {"add", "-A"});
  sandbox.Write("r/new.h", ListOf("SR_HERE"));
  sandbox.Write("r/new.pending/SR_C.yaml", "message: c\n");
  const auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  const Tree here = Tree::WorkTree(*repository, ""), index = Tree::Index(*repository, ""),
             commit = here.At(first);
  // The commit has the list at a different path, so List() must find the list by its name.
  const list::ListConfig list = Must(here.Config())->lists.front();
  CHECK(LastOf(here, list) == "SR_HERE");
  CHECK(LastOf(index, list) == "SR_STAGED");
  CHECK(LastOf(commit, list) == "SR_FIRST");
  CHECK(Must(commit.List(list)).config.path == "old.h");
  CHECK(Must(commit.Config())->lists.front().path == "old.h");
  CHECK(Must(here.Config())->lists.front().path == "new.h");
  CHECK(Must(here.Pending(list)).size() == 2);
  CHECK(Must(index.Pending(list)).size() == 1);
  CHECK(Must(commit.Pending(list)).empty());
  CHECK(Must(commit.Pending(Must(commit.List(list)).config)).size() == 1);
  const auto whole = Must(index.WithPending(list, *Must(index.Parsed(list))));
  CHECK(whole.Find("SR_B") != nullptr);
  CHECK(Must(here.Exists("new.h")));
  CHECK_FALSE(Must(commit.Exists("new.h")));
  CHECK(here.CheckPendingFolder(list).ok());
  CHECK_FALSE(Must(Tree::Commit(*repository, first, "none/").Config()));
}

TEST_CASE("tree: an invalid config, list or pending folder is an error", "[tree]") {
  const git::Library library;
  testing::Sandbox sandbox;
  sandbox.NewRepository("r", "ann");
  sandbox.Write("r/.revctl.yaml", ConfigOf("list.h"));
  sandbox.Write("r/list.h", ListOf("SR_TWO"));
  sandbox.CommitAll("r", "first");
  const auto repository = Must(git::OpenRepository(sandbox.Path("r")));
  const Tree here = Tree::WorkTree(*repository, "");
  const list::ListConfig list = Must(here.Config())->lists.front();
  sandbox.Write("r/list.pending", "a file\n");
  sandbox.Write("r/.revctl.yaml", "lists: 1\n");
  sandbox.CommitAll("r", "second");
  const Tree commit = here.At(sandbox.Git("r", {"rev-parse", "HEAD"}));
  for (const Tree& tree : {here, Tree::Index(*repository, ""), commit}) {
    const auto folder = tree.CheckPendingFolder(list);
    REQUIRE_FALSE(folder.ok());
    CHECK(folder.error().message ==
          "list.pending: is not a folder, but must be a folder for pending revisions");
    CHECK_FALSE(tree.Config().ok());
    // If the config is invalid, List() tries the known path, and fails only if that file does not
    // exist either.
    CHECK(LastOf(tree, list) == "SR_TWO");
  }
  CHECK(commit.Config().error().file.starts_with(Must(commit.Head())->substr(0, 10) + ":"));
  list::ListConfig moved = list;
  moved.path = "moved.h";
  CHECK_FALSE(commit.List(moved).ok());
}
