// `record` killed anywhere, and twice at once: a store is never half of anything.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <random>

#include "harness/test_program.h"

namespace harness::test {
namespace {

const std::string kFour = "'" REVCTL_ADOPTER_R4 "'";

/// Starts `record --backfill` and does not wait.
pid_t StartRecord(const Folder& folder) {
  std::fflush(nullptr);  // or the child would say it again
  const pid_t child = ::fork();
  if (child == 0) {
    ::unsetenv("CI");
    if (::chdir(folder.path().c_str()) != 0 || ::freopen("/dev/null", "w", stdout) == nullptr ||
        ::freopen("/dev/null", "w", stderr) == nullptr)
      ::_exit(99);
    ::execl(REVCTL_ADOPTER_R4, REVCTL_ADOPTER_R4, "record", "--backfill", "--golden", "golden",
            nullptr);
    ::_exit(99);
  }
  return child;
}

void CheckSame(const Folder& a, const Folder& b) {
  CHECK(Listing(a) == Listing(b));
  for (const std::string& name : Listing(a))
    CHECK(Bytes(a.path() + "/golden/" + name) == Bytes(b.path() + "/golden/" + name));
}

}  // namespace

TEST_CASE("record: killed at any point, it leaves whole revisions, and again makes the rest",
          "[harness][commands][atomic]") {
  const Folder whole;
  REQUIRE(Run(whole, kFour + " record --backfill --golden golden").exit == 0);
  std::mt19937 random(7);
  std::size_t interrupted = 0;
  for (int round = 0; round < 12; ++round) {
    const Folder folder;
    const pid_t child = StartRecord(folder);
    // From before it has begun to about when it is done; which round meets what is up to the
    // machine.
    ::usleep(static_cast<useconds_t>(random() % 120000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    interrupted += WIFSIGNALED(status);
    // What is there is readable, and is what the whole run wrote.
    const Ran check = Run(folder, kFour + " check --golden golden --json");
    INFO(check.out);
    CHECK_THAT(check.out, !Catch::Contains("GH009") && !Catch::Contains("GH001"));
    for (const std::string& name : Listing(folder)) {
      if (name.ends_with(".yaml") && !name.starts_with("."))
        CHECK(Bytes(folder.path() + "/golden/" + name) == Bytes(whole.path() + "/golden/" + name));
    }
    REQUIRE(Run(folder, kFour + " record --backfill --golden golden").exit == 0);
    CHECK(Run(folder, kFour + " check --golden golden").exit == 0);
    CHECK(Listing(folder) == Listing(whole));
  }
  CHECK(interrupted > 0);
}

TEST_CASE("record: of several at once one records, and the others see that it did",
          "[harness][commands][atomic]") {
  const Folder whole;
  REQUIRE(Run(whole, kFour + " record --backfill --golden golden").exit == 0);
  for (int round = 0; round < 3; ++round) {
    const Folder folder;
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) children.push_back(StartRecord(folder));
    for (const pid_t child : children) {
      int status = 0;
      ::waitpid(child, &status, 0);
      CHECK(WIFEXITED(status));
    }
    // Those who came late may have stopped at what was recorded already; together they recorded
    // all, and nothing twice.
    REQUIRE(Run(folder, kFour + " record --backfill --golden golden").exit == 0);
    CheckSame(folder, whole);
    CHECK(Run(folder, kFour + " check --golden golden").exit == 0);
  }
}

}  // namespace harness::test
