#include "revctl/git/changes.h"

#include <catch2/catch.hpp>

#include "revctl/git/history.h"
#include "revctl/git/index.h"
#include "tests/support/must.h"
#include "tests/support/sandbox.h"

using namespace revctl;
using testing::Must;

namespace {

/// A repository with a single commit, which contains an executable script, a text file and a
/// folder.
struct Scene {
  testing::Sandbox sandbox;
  std::unique_ptr<git::Repository> repository;
  git::Oid first;
  Scene() {
    sandbox.NewRepository("r", "ann");
    sandbox.WriteExecutable("r/run", "#!/bin/sh\n");
    sandbox.Write("r/text", "one\n");
    sandbox.Write("r/folder/inner", "inner\n");
    sandbox.CommitAll("r", "first");
    repository = Must(git::OpenRepository(sandbox.Path("r")));
    first = Must(repository->Head()).value();
  }
};

}  // namespace

TEST_CASE("git: StoreTree does not use the index or the work tree", "[git]") {
  Scene scene;
  const auto blob = Must(git::StoreBlob(*scene.repository, "two\n", "a text"));
  const auto tree = Must(
      git::StoreTree(*scene.repository, scene.first,
                     {{"run", blob, true}, {"new/file", blob}, {"folder/inner", std::nullopt}}));
  const auto commit = Must(git::StoreCommit(*scene.repository, tree, {scene.first}, "second\n"));
  CHECK(scene.sandbox.Git("r", {"ls-tree", "-r", "--format=%(objectmode) %(path)", commit}) ==
        "100644 new/file\n100755 run\n100644 text");
  CHECK(scene.sandbox.Git("r", {"log", "-1", "--format=%s %P", commit}) == "second " + scene.first);
  CHECK(Must(scene.repository->Head()) == scene.first);
  CHECK(Must(git::Status(*scene.repository, true)).empty());
}

TEST_CASE("git: StashCopy keeps the changes, and StashFolders moves them", "[git]") {
  Scene scene;
  CHECK_FALSE(Must(git::StashCopy(*scene.repository, "kept")));
  scene.sandbox.Write("r/text", "changed\n");
  CHECK(Must(git::StashCopy(*scene.repository, "kept")));
  CHECK(scene.sandbox.Read("r/text") == "changed\n");
  scene.sandbox.Write("r/folder/untracked", "new\n");
  Must(git::StashFolders(*scene.repository, {"folder"}, "taken"));
  CHECK_FALSE(scene.sandbox.Exists("r/folder/untracked"));
  CHECK(scene.sandbox.Read("r/text") == "changed\n");
  CHECK(scene.sandbox.Git("r", {"stash", "list", "--format=%gs"}) == "On main: taken\nkept");
}

TEST_CASE("git: a conflict is predicted, occurs, is listed by side and aborted", "[git]") {
  Scene scene;
  const auto change = [&](const std::string& branch, const std::string& text) {
    scene.sandbox.Git("r", {"checkout", "-q", "-b", branch, scene.first});
    scene.sandbox.Write("r/text", text);
    scene.sandbox.CommitAll("r", branch);
    return Must(scene.repository->Head()).value();
  };
  const auto ours = change("ours", "ours\n"), theirs = change("theirs", "theirs\n");
  CHECK(Must(git::PredictConflicts(*scene.repository, "x.y=z", ours, theirs)) ==
        std::vector<std::string>{"text"});
  CHECK(Must(git::PredictConflicts(*scene.repository, "x.y=z", scene.first, ours)).empty());
  Must(git::Checkout(*scene.repository, "ours", false));
  const auto joined = Must(git::Merge(*scene.repository, theirs, "join", {}));
  CHECK_FALSE(joined.ok);
  CHECK(git::OperationIn(*scene.repository) == "merge");
  const auto entries = Must(git::IndexEntries(*scene.repository, git::Entries::Unmerged, "text"));
  REQUIRE(entries.size() == 3);
  CHECK(Must(git::ReadBlob(*scene.repository, entries[2].id, "their side")) == "theirs\n");
  Must(git::CheckoutSide(*scene.repository, git::Side::Theirs, "text"));
  CHECK(scene.sandbox.Read("r/text") == "theirs\n");
  Must(git::AbortOperation(*scene.repository, "merge"));
  CHECK(git::OperationIn(*scene.repository).empty());
  CHECK(Must(git::IndexEntries(*scene.repository, git::Entries::Unmerged, "text")).empty());
}
