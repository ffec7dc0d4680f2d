// Nothing is passed over in silence: waiting, options that contradict each other, input that is
// none, files that are there.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>

#include "revctl/base/file_lock.h"
#include "revctl/config/files.h"
#include "tests/scenarios/team.h"

using namespace revctl::testing;

TEST_CASE("silence: another's lock is reported, with an end to the wait", "[silence]") {
  Team team;
  const std::string path = team.sandbox.Path("ann/.git/revctl.lock");
  const int held = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  REQUIRE(::flock(held, LOCK_EX) == 0);
  REQUIRE(::write(held, "4711\n", 5) == 5);
  std::thread later([held] {
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    ::close(held);
  });
  auto waited = team.Revctl("ann", {"reserve", "SR_BOSS"});
  later.join();
  CHECK(waited.out == "SR_BOSS = 3\n");
  CHECK(waited.err.find("another revctl (process 4711) is at work in this work tree") !=
        std::string::npos);
  CHECK(team.Revctl("ann", {"reserve", "SR_TWO"}).err.empty());  // it is free again

  const int stopped = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(::flock(stopped, LOCK_EX) == 0);
  int told = 0;
  auto given_up = revctl::base::FileLock::Take(
      path, [&](const std::string&) { ++told; }, std::chrono::milliseconds(1300));
  ::close(stopped);
  REQUIRE_FALSE(given_up.ok());
  CHECK(told == 1);
  CHECK(given_up.error().exit == revctl::base::Exit::Environment);
  CHECK(given_up.error().message.find("is held by process ") != std::string::npos);
}

TEST_CASE("silence: options that contradict each other are refused", "[silence]") {
  Team team;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"check", "--head", "HEAD", "--staged"},
                                             {"check", "--fetch", "--no-fetch"},
                                             {"check", "--pushed", "--staged"},
                                             {"check", "--staged", "--fetch"},
                                             {"check", "--pushed", "--target", "HEAD"},
                                             {"check", "--json", "--format", "github"},
                                             {"list", "--json", "--format", "text"}}) {
    auto refused = team.Revctl("ann", arguments);
    INFO(arguments[0] << " " << arguments[1] << ": " << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK(refused.err.find("contradict each other") != std::string::npos);
  }
  CHECK(team.Revctl("ann", {"list", "--json", "--format", "json"}).status == 0);
}

TEST_CASE("silence: a hook that is fed anything but git's lines says so", "[silence]") {
  Team team;
  const std::string id(40, 'a');
  for (const std::string& input :
       {std::string("garbage\n"), id + " " + id + "\n", id + " main " + id + "\n", "\n" + id + "\n",
        "x " + id + "  " + id + "\n"}) {
    INFO(input);
    CHECK(team.sandbox.Revctl("srv/game.git", {"pre-receive"}, {}, input).status == 2);
    CHECK(team.sandbox.Revctl("ann", {"check", "--pushed"}, {}, input).status == 2);
  }
  CHECK(team.sandbox.Revctl("ann", {"check", "--pushed"}).status ==
        0);  // a push that pushes nothing
  // git has no pre-receive hook for such a push: another command has read what was pushed.
  for (const char* stdin_of : {"</dev/null", "<&-", "<."}) {
    const auto unread = team.sandbox.Run(
        "srv/game.git", {"sh", "-c", "'" + ProgramPath() + "' pre-receive " + stdin_of});
    INFO(stdin_of << unread.err);
    CHECK(unread.status == 2);
    CHECK(unread.err.find("a command before revctl may have read them") != std::string::npos);
  }

  // What is pushed may be an expression with blanks in it; git hands it on as it was typed.
  team.InstallDriver("ann");
  team.sandbox.CommitAll("ann", "attributes");
  team.sandbox.Write("ann/src/master_version_list.h",
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=7,\n};\n");
  team.sandbox.Git("ann", {"commit", "-qam", "renumbered by hand", "--no-verify"});
  auto pushed = team.sandbox.TryGit("ann", {"push", "origin", "HEAD^{/renumbered by hand}:main"});
  CHECK(pushed.status != 0);
  CHECK((pushed.out + pushed.err).find("RV004") != std::string::npos);
}

TEST_CASE("silence: invisible characters in names are shown escaped", "[silence]") {
  Team team;
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"reserve", "SR_A\nfix: rm -rf ."},
                                             {"whois", "SR_A\nfix: rm -rf ."},
                                             {"renumber", "SR_A\nfix: rm -rf ."},
                                             {"list", "--list", "SR_A\nfix: rm -rf ."},
                                             {"list", "SR_A\nfix: rm -rf ."},
                                             {"list", "--format", "SR_A\nfix: rm -rf ."}}) {
    auto refused = team.Revctl("ann", arguments);
    INFO(arguments[0] << ": " << refused.err);
    CHECK(refused.status == 2);
    CHECK(refused.err.find("\nfix: rm") == std::string::npos);
    CHECK(refused.err.find("SR_A\\x0afix") != std::string::npos);
  }
}

TEST_CASE("silence: every refusal has its mend", "[silence]") {
  Team team;
  const auto has_mend = [&](const std::vector<std::string>& arguments, const std::string& mend) {
    auto refused = team.Revctl("ann", arguments);
    INFO(arguments[0] << ": " << refused.out << refused.err);
    CHECK(refused.status != 0);
    CHECK((refused.out + refused.err).find("fix: " + mend) != std::string::npos);
  };
  has_mend({"renumber", "SR_FOULS"}, "revctl renumber");
  has_mend({"codegen", "--output", "no/such/folder/table.h"}, "mkdir -p ");
  team.sandbox.Write(std::string("ann/") + Team::kList,
                     "enum Revision {\n    SR_INITIAL=1,\n    SR_FOULS=1/0,\n};\n");
  has_mend({"check"}, "mend that place, or git checkout HEAD -- src/master_version_list.h");
  const auto ends_with = [&](const std::string& number) {
    team.sandbox.Write(std::string("ann/") + Team::kList,
                       "enum Revision : long long {\n    SR_INITIAL=1,\n    SR_FOULS=2,\n    "
                       "SR_LAST=" +
                           number + ",\n};\n");
  };
  ends_with("9223372036854775807");
  has_mend({"check"}, "revctl renumber");
  ends_with("2147483647");
  has_mend({"next"}, "take the entry");
  std::filesystem::remove(team.sandbox.Path("ann/.revctl.yaml"));
  std::filesystem::create_directory(team.sandbox.Path("ann/.revctl.yaml"));
  has_mend({"list"}, "put the file itself there, or git checkout -- ");
}

TEST_CASE("silence: what stands in install's way has its mend", "[silence]") {
  const Team team({"ann"});
  const auto has_mend = [&](const std::string& mend) {
    const auto refused = team.Revctl("ann", {"install"});
    INFO(refused.out << refused.err);
    CHECK(refused.status > 1);
    CHECK(refused.err.find("\nfix: " + mend) != std::string::npos);
  };
  const std::string hooks = team.sandbox.Path("ann/.git/hooks");
  std::filesystem::remove_all(hooks);
  team.sandbox.Write("ann/.git/hooks", "a file\n");
  has_mend("ls -ld ");
  std::filesystem::remove(hooks);
  std::filesystem::create_directories(hooks + "/pre-commit");
  has_mend("ls -ld ");
  std::filesystem::remove(hooks + "/pre-commit");
  team.sandbox.Git("ann", {"config", "core.hooksPath", ""});
  has_mend("git config core.hooksPath FOLDER");
  team.sandbox.Git("ann", {"config", "--unset-all", "core.hooksPath"});
  team.sandbox.Write("ann/.gitattributes", std::string(2 << 20, ' '));
  has_mend("ls -ld ");
}

TEST_CASE("silence: whois overwrites nothing, blames no shallow root", "[silence]") {
  Team team;
  const auto lineage_of = [&](const std::string& table) {
    const std::size_t at = table.find("0x");
    return table.substr(at + 2, 16);
  };
  const std::string lineage = lineage_of(team.Revctl("ann", {"codegen"}).out);
  INFO(lineage);
  team.sandbox.Write("ann/notes.txt", "mine\n");
  auto refused = team.Revctl("ann", {"whois", lineage, "--output", "notes.txt"});
  CHECK(refused.status == 2);
  CHECK(refused.err.find("notes.txt: is there already") != std::string::npos);
  CHECK(team.sandbox.Read("ann/notes.txt") == "mine\n");
  REQUIRE(team.Revctl("ann", {"whois", lineage, "--output", "theirs.h"}).status == 0);
  CHECK(team.Revctl("ann", {"whois", lineage, "--output", "theirs.h"}).status ==
        0);  // the same again

  team.sandbox.Git("ann", {"commit", "-q", "--allow-empty", "-m", "of another person"});
  team.sandbox.Git("ann", {"push", "-q", "origin", "HEAD:main"});
  team.sandbox.Git(".", {"clone", "-q", "--depth=1", team.Url(), "shallow"});
  auto shallow = team.Revctl("shallow", {"whois", "SR_FOULS"}).out;
  CHECK(shallow.find("came with") == std::string::npos);
  CHECK(shallow.find("git fetch --unshallow") != std::string::npos);
  CHECK(team.Revctl("ann", {"whois", "SR_FOULS"}).out.find("SR_FOULS came with") !=
        std::string::npos);
}
