// Pending changes must be stored where git does not see them.
#include "harness/commands/approve.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

Pending Rename() {
  Pending pending;
  pending.approval.type = "Score";
  pending.approval.from = "p2Score";
  pending.approval.to = "secondScore";
  pending.text = "Score.p2Score was renamed to secondScore";
  return pending;
}

/// Writes a pending change like a harness with these source and build folders. Returns the folder
/// that contains the change.
std::string Written(const std::string& sources, const std::string& build) {
  revctl::harness::Settings settings;
  settings.source_root = sources.c_str();
  settings.build_root = build.c_str();
  const PendingFolder folder = PendingFolder::Of(settings, "build/save_harness");
  const auto written = folder.Replace({Rename()});
  INFO(folder.path());
  REQUIRE(written.ok());
  CHECK(std::filesystem::exists(folder.path() + "/" + PendingId(Rename()) + ".yaml"));
  return folder.path();
}

}  // namespace

TEST_CASE("pending: in the build tree, or in .git if in-source", "[harness][pending]") {
  const Folder folder;
  const std::string tree = folder.path() + "/game";
  REQUIRE(Run(folder, "git init -q game").exit == 0);
  const auto changed = [&](const std::string& work_tree) {
    const Ran status = Run(folder, "git -C " + work_tree + " status --porcelain --ignored");
    REQUIRE(status.exit == 0);
    return status.out;
  };
  CHECK(Written(tree + "/src", tree + "/../build") ==
        folder.path() + "/game/../build/revctl-pending/save_harness");
  // The folder is in the git directory for an in-source build, or if the source root is only a
  // subfolder of the work tree.
  CHECK(Written(tree, tree) == tree + "/.git/revctl-pending/save_harness");
  CHECK(Written(tree + "/src", tree) == tree + "/.git/revctl-pending/save_harness");
  CHECK(changed("game").empty());
  // In a linked work tree, `.git` is a file that names a folder in the main work tree.
  REQUIRE(Run(folder,
              "git -C game -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && "
              "git -C game worktree add -q ../other")
              .exit == 0);
  const std::string other = folder.path() + "/other";
  CHECK(Written(other, other) == tree + "/.git/worktrees/other/revctl-pending/save_harness");
  CHECK(changed("other").empty());
}

TEST_CASE("pending: without a build tree and git, in the temporary folder", "[harness][pending]") {
  const Folder folder;
  const std::string tree = folder.path() + "/game";
  std::filesystem::create_directory(tree);
  const std::string path = Written(tree, tree);
  CHECK(path.find(tree) == std::string::npos);
  CHECK(std::filesystem::is_empty(tree));
  std::filesystem::remove_all(path);
}

}  // namespace revctl::harness::test
