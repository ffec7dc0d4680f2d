// Tests POSIX-specific behavior: file size limits, killed processes, file modes and links.
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "revctl/base/system/files.h"
#include "revctl/base/temporary_file.h"
#include "revctl/config/files.h"

using namespace revctl::config;

TEST_CASE("files: exceeding the file size limit is an error and leaves no file",
          "[config][files]") {
  char name[] = "/tmp/revctl files XXXXXX";
  REQUIRE(::mkdtemp(name));
  const std::filesystem::path folder = name;
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit none{0, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &none) == 0);
  const auto written = ReplaceFile((folder / "list.h").string(), "words");
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  REQUIRE_FALSE(written.ok());
  CHECK(ErrorText(written.error()).find("File too large") != std::string::npos);
  CHECK(written.error().fix.starts_with("ulimit -f unlimited"));
  CHECK(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

TEST_CASE("files: the git folder holds temporary files, and leftovers are removed", "[config]") {
  char name[] = "/tmp/revctl-files-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  const std::string file = (folder / "src" / "list.h").string();
  const auto names = [](const std::filesystem::path& in) {
    std::set<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(in))
      out.insert(entry.path().filename().string());
    return out;
  };
  std::filesystem::path git = folder / ".git";
  SECTION("in a clone") {}
  SECTION("in a linked work tree") {
    std::ofstream(folder / ".git") << "gitdir: trees/other\n";
    git = folder / "trees" / "other";
  }
  std::filesystem::create_directories(git);
  std::filesystem::create_directories(folder / "src");
  REQUIRE(ReplaceFile(file, "one").ok());
  // One process is killed while it writes; the other keeps running.
  const pid_t killed = ::fork();
  if (killed == 0) {
    const auto begun = revctl::base::TemporaryFile::For(file);
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(killed, &status, 0) == killed);
  CHECK(names(git).size() == 1);
  CHECK(names(folder / "src") == std::set<std::string>{"list.h"});
  auto living = revctl::base::TemporaryFile::For(file);
  REQUIRE(living.ok());
  CHECK(names(git).size() == 1);  // the killed process's file is gone
  REQUIRE(ReplaceFile(file, "two").ok());
  CHECK(names(git).size() == 1);
  REQUIRE(revctl::base::WriteAll(living->fd(), "three"));
  CHECK(living->TakePlaceOf(file));
  CHECK(ReadFile(file, 100)->value() == "three");
  CHECK(names(git).empty());
  REQUIRE(revctl::base::TemporaryFile::Beside(file).ok());
  std::filesystem::remove_all(folder);
}

TEST_CASE("files: replacing a file keeps its mode and links", "[config]") {
  char name[] = "/tmp/revctl-files-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(name);
  const std::string file = (folder / "list.h").string(), link = (folder / "link.h").string();
  REQUIRE(ReplaceFile(file, "one").ok());
  ::chmod(file.c_str(), 0755);
  std::filesystem::create_symlink("list.h", link);
  REQUIRE(ReplaceFile(link, "two").ok());
  CHECK(std::filesystem::is_symlink(link));
  CHECK(ReadFile(file, 100)->value() == "two");
  struct stat about {};
  ::stat(file.c_str(), &about);
  CHECK((about.st_mode & 0777) == 0755);
  CHECK_FALSE(ReadFile((folder / "none").string(), 100)->has_value());
  CHECK_FALSE(ReadFile(folder.string(), 100).ok());
  CHECK_FALSE(ReadFile(file, 2).ok());
  CHECK_FALSE(ReplaceFile((folder / "no" / "where").string(), "x").ok());
  auto left = std::distance(std::filesystem::directory_iterator(folder),
                            std::filesystem::directory_iterator());
  CHECK(left == 2);  // no temporary file is left
  std::filesystem::remove_all(folder);
}
