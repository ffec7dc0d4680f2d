// A command that writes goldens must leave a valid store, even if it is killed at any point, or
// runs twice at the same time.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <map>
#include <random>

#include "golden/store.h"
#include "harness/testing/test_program.h"

namespace revctl::harness::test {
namespace {

namespace fs = std::filesystem;

pid_t StartRecord(const Folder& folder) {
  std::fflush(nullptr);  // otherwise the child would print buffered output again
  const std::string program = AdopterPath("r4");
  const pid_t child = ::fork();
  if (child == 0) {
    ::unsetenv("CI");
    if (::chdir(folder.path().c_str()) != 0 || ::freopen("/dev/null", "w", stdout) == nullptr ||
        ::freopen("/dev/null", "w", stderr) == nullptr)
      ::_exit(99);
    ::execl(program.c_str(), program.c_str(), "record", "--backfill", "--golden", "golden",
            nullptr);
    ::_exit(99);
  }
  return child;
}

/// Returns the content of every file in the golden folder, including temporary files.
std::map<std::string, std::string> Files(const Folder& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder.path() + "/golden")) {
    if (entry.is_regular_file())
      files[entry.path().lexically_relative(folder.path())] = Bytes(entry.path());
  }
  return files;
}

void CheckSame(const Folder& a, const Folder& b) { CHECK(Files(a) == Files(b)); }

}  // namespace

TEST_CASE("record: killed at any time, leaves whole revisions; resumes",
          "[harness][commands][atomic]") {
  const Folder whole;
  REQUIRE(Run(whole, kFour + " record --backfill --golden golden").exit == 0);
  std::mt19937 random(7);
  std::size_t interrupted = 0;
  for (int round = 0; round < 12; ++round) {
    const Folder folder;
    const pid_t child = StartRecord(folder);
    // Kill the run at a random time, in some rounds after it has finished.
    ::usleep(static_cast<useconds_t>(random() % 120000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    interrupted += WIFSIGNALED(status);
    // All existing files must be readable, and identical to the files of a complete run.
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

TEST_CASE("commands: killed before any write, leave all or nothing",
          "[harness][commands][atomic]") {
  struct Command {
    std::string before, line;
  };
  const std::string save = "printf '\\7\\0\\0\\0\\3\\0\\0\\0' >save.bin && ";
  const Command command = GENERATE_COPY(
      Command{"mkdir golden", kFour + " record"},
      // Because of the different seed, the goldens have values that no current sample has. The
      // refresh must keep them.
      Command{kThree + " record --seed 2 --golden golden", kFour + " record --refresh SR_PLAYERS"},
      Command{kFour + " record --golden golden", kMore + " record"},
      Command{save + kFour + " record --golden golden",
              kFour + " import save.bin --revision SR_INITIAL --name bug-17"},
      Command{kFour + " record --golden golden",
              kMeant + " approve --enumerator Color.Pink --reason 'a new team'"});
  INFO(command.line);
  const Folder base, whole;
  REQUIRE(Run(base, command.before).exit == 0);
  const auto copy = [&](const Folder& to) {
    fs::copy(base.path(), to.path(), fs::copy_options::recursive);
  };
  copy(whole);
  const auto before = Files(whole);
  REQUIRE(Run(whole, command.line + " --golden golden").exit == 0);
  const auto after = Files(whole);
  REQUIRE(before != after);
  if (command.before.find("--seed") != std::string::npos) {
    const std::string pack = "golden/SR_PLAYERS.golden";
    REQUIRE(before.at(pack) == after.at(pack));
  }
  int killed = 0;
  for (bool done = false; !done;) {
    const Folder folder;
    copy(folder);
    // LD_PRELOAD splits its value at blanks, so use a symlink without blanks.
    fs::create_symlink(KillAt(), folder.path() + "/kill_at.so");
    const Ran ran =
        Run(folder,
            "ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=./kill_at.so KILL_AT=" +
                std::to_string(killed + 1) + " " + command.line + " --golden golden");
    INFO("killed before write " << killed + 1);
    done = ran.exit == 0;
    if (!done) {
      ++killed;
      REQUIRE((ran.exit == 128 + SIGKILL || ran.exit == -1));
      REQUIRE(killed < 100);
      // All existing files must be readable. Except for temporary files, each must be identical to
      // the old file or to the file of a complete run.
      const revctl::golden::Store store = revctl::golden::Store::Open(folder.path() + "/golden");
      for (const revctl::golden::Error& problem : store.problems())
        FAIL_CHECK(problem.file << ": " << problem.message);
      const Ran again = Run(folder, command.line + " --golden golden");
      INFO(again.err);
      CHECK(again.exit == 0);
    }
    CHECK(Files(folder) == after);
  }
  CHECK(killed > 4);
}

TEST_CASE("commands: a full disk is an error, and a rerun completes",
          "[harness][commands][atomic]") {
  const auto [before, line] = GENERATE_COPY(table<std::string, std::string>(
      {{kFour + " record", kMore + " record"},
       {kThree + " record --seed 2", kFour + " record --refresh SR_PLAYERS"}}));
  INFO(line);
  const Folder base, whole;
  REQUIRE(Run(base, before + " --golden golden").exit == 0);
  fs::copy(base.path(), whole.path(), fs::copy_options::recursive);
  REQUIRE(Run(whole, line + " --golden golden").exit == 0);
  const auto after = Files(whole);
  REQUIRE(Files(base) != after);
  int full = 0;
  for (bool done = false; !done;) {
    const Folder folder;
    fs::copy(base.path(), folder.path(), fs::copy_options::recursive);
    fs::create_symlink(KillAt(), folder.path() + "/kill_at.so");
    const Ran ran =
        Run(folder,
            "ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=./kill_at.so FULL_AT=" +
                std::to_string(full + 1) + " " + line + " --golden golden");
    INFO("full from write " << full + 1 << " on\n" << ran.err);
    done = ran.exit == 0;
    if (!done) {
      ++full;
      REQUIRE(ran.exit == 3);
      REQUIRE(full < 100);
      CHECK_THAT(ran.err,
                 Catch::Contains("No space left on device") && Catch::Contains("fix: df -h "));
      const revctl::golden::Store store = revctl::golden::Store::Open(folder.path() + "/golden");
      for (const revctl::golden::Error& problem : store.problems())
        FAIL_CHECK(problem.file << ": " << problem.message);
      CHECK(Run(folder, line + " --golden golden").exit == 0);
    }
    CHECK(Files(folder) == after);
  }
  CHECK(full > 2);
}

TEST_CASE("record: runs in parallel record everything once", "[harness][commands][atomic]") {
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
    // A late run may fail because a record already exists, but all runs together must have
    // recorded everything exactly once.
    REQUIRE(Run(folder, kFour + " record --backfill --golden golden").exit == 0);
    CheckSame(folder, whole);
    CHECK(Run(folder, kFour + " check --golden golden").exit == 0);
  }
}

}  // namespace revctl::harness::test
