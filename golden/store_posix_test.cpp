// Tests the store on POSIX systems: links, pipes and killed processes.
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <random>
#include <string>

#include "golden/approval.h"
#include "golden/store.h"
#include "golden/store_test.h"
#include "revctl/base/file.h"

namespace fs = std::filesystem;
using revctl::golden::Store;
using revctl::golden::testing::Folder;
using revctl::golden::testing::Make;
using revctl::golden::testing::OnlyProblem;
using revctl::golden::testing::Recorded;
using revctl::golden::testing::Write;

TEST_CASE("store: rejects links and pipes", "[golden][store]") {
  const Folder folder;
  REQUIRE(Write(folder, Make("SR_A", {"aa"})).ok());
  REQUIRE(Write(folder, Make("SR_B", {"bb"})).ok());
  SECTION("links, even if their targets are right") {
    const std::string file = GENERATE("SR_B.yaml", "SR_B.golden");
    const Folder elsewhere;
    fs::rename(folder / file, elsewhere / file);
    fs::create_symlink(elsewhere / file, folder / file);
    CHECK(OnlyProblem(folder) == file + ": is a symbolic link, but must be a file");
  }
  SECTION("a dangling link, and a pipe") {
    fs::remove(folder / "SR_B.yaml");
    fs::create_symlink("nowhere", folder / "SR_B.yaml");
    CHECK_THAT(OnlyProblem(folder), Catch::StartsWith("SR_B.yaml: is a symbolic link"));
    fs::remove(folder / "SR_B.yaml");
    REQUIRE(::mkfifo((folder / "SR_B.yaml").c_str(), 0600) == 0);
    CHECK_THAT(OnlyProblem(folder), Catch::StartsWith("SR_B.yaml: is a pipe"));
  }
  CHECK(Store::Open(folder.path()).Find("SR_A"));
  CHECK(Store::Open(folder.path()).Find("SR_B") == nullptr);
}

TEST_CASE("store: does not follow links to approvals", "[golden][store]") {
  const Folder folder;
  revctl::golden::Approval rename;
  rename.type = "Score";
  rename.from = "p1Score";
  rename.to = "ours";
  rename.reason = "it is ours";
  const std::string approval = revctl::golden::WriteApproval(folder.path(), rename).value();
  const bool whole = GENERATE(true, false);
  const std::string what = whole ? "approved" : approval;
  fs::rename(folder / what, folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", folder / what);
  CHECK_THAT(OnlyProblem(folder),
             Catch::StartsWith(what + ": ") && Catch::Contains("is a symbolic link"));
}

TEST_CASE("store: errors of the operating system come with a fix", "[golden][store]") {
  const Folder folder;
  const std::string path = folder / "deeper/SR_A.yaml";
  CHECK_THAT(revctl::base::SystemFix(ENOSPC, path),
             Catch::StartsWith("df -h '" + folder.path() + "'"));
  CHECK_THAT(revctl::base::SystemFix(EACCES, path),
             Catch::StartsWith("ls -la '" + folder.path() + "'"));
  CHECK_THAT(revctl::base::SystemFix(EFBIG, path), Catch::StartsWith("ulimit -f "));
  CHECK_THAT(revctl::base::SystemFix(EMFILE, path), Catch::StartsWith("ulimit -n "));
  CHECK(revctl::base::SystemFix(EIO, path).empty());
  CHECK_THAT(revctl::base::SystemFix(EROFS, "SR_A.yaml"), Catch::StartsWith("ls -la . "));
}

TEST_CASE("store: contains nothing or a whole revision if `record` is killed", "[golden][store]") {
  const Folder folder;
  const Recorded made = Make("SR_KILLED", {std::string(200000, 'a'), std::string(100000, 'b')});
  // The sizes differ, so that a mix of two writes would be detected.
  const Recorded other = Make("SR_KILLED", {std::string(250000, 'c')});
  std::mt19937 random(1);
  int whole = 0, nothing = 0;
  for (int round = 0; round < 60; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      for (;;) {
        (void)Write(folder, made, true).ok();
        (void)Write(folder, other, true).ok();
      }
    }
    usleep(static_cast<useconds_t>(random() % 20000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const Store store = Store::Open(folder.path());
    for (const auto& problem : store.problems()) FAIL(problem.file << ": " << problem.message);
    CHECK_FALSE(store.HasOrphan("SR_KILLED"));  // payloads of a killed write are not orphans
    (store.Find("SR_KILLED") ? whole : nothing) += 1;
  }
  CHECK(whole + nothing == 60);
  REQUIRE(Write(folder, made, true)
              .ok());  // writing again repairs the store and leaves no temporary file
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 2);
}
