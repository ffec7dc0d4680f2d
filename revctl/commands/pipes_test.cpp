// Files that git reads by name, as pipes: git waits for ever, and no command may.
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>

#include "revctl/commands/attacked_test.h"

using namespace revctl::testing;

namespace {

/// The end of one command, which `timeout` would have cut off.
void Ends(const Team& team, const std::string& file, const std::vector<std::string>& command) {
  const std::string path = team.sandbox.Path("ann/" + file);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  std::vector<std::string> argv = {"timeout", "60", ProgramPath()};
  argv.insert(argv.end(), command.begin(), command.end());
  const auto run = team.sandbox.Run("ann", argv);
  ::unlink(path.c_str());
  INFO(file << ": " << command[0] << ": " << run.status << "\n" << run.out << run.err);
  CHECK(run.status != 124);
  // Where the file is read at all, it is told.
  if (run.status != 0 && run.status != 1)
    CHECK((Has(run.err, file + ": is a pipe or a device, no file") ||
           Has(run.err, file + ": is not a regular file")));
}

}  // namespace

TEST_CASE("pipes: no command waits for the other end", "[pipes]") {
  const Team team({"ann"});
  team.sandbox.Write("ann/deep/er/x.cpp", "int x = SR_FOULS;\n");
  team.sandbox.CommitAll("ann", "code");
  ::unlink(team.sandbox.Path("ann/.gitattributes").c_str());
  for (const char* file :
       {".gitattributes", "src/.gitattributes", "deep/er/.gitattributes", ".git/info/attributes"})
    Ends(team, file, {"check"});
  for (const char* file : {".gitattributes", ".git/info/attributes"}) {
    Ends(team, file, {"doctor"});
    Ends(team, file, {"install"});
  }
  for (const char* file : {".gitignore", "deep/.gitignore", ".git/info/exclude"}) {
    ::unlink(team.sandbox.Path(std::string("ann/") + file).c_str());
    Ends(team, file, {"check"});
    Ends(team, file, {"status"});
  }
  Ends(team, ".mailmap", {"whois", "SR_FOULS"});
}

TEST_CASE("pipes: configuration", "[pipes]") {
  const Team team({"ann"});
  team.sandbox.Git("ann", {"worktree", "add", "-q", "../two"});
  const auto ends = [&](const std::string& file, const std::string& folder) {
    const std::string path = team.sandbox.Path(file), aside = path + ".aside";
    (void)std::rename(path.c_str(), aside.c_str());
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    for (const char* command : {"check", "status", "install"}) {
      const auto run = team.sandbox.Run(folder, {"timeout", "60", ProgramPath(), command},
                                        {file == ".gitconfig" ? "GIT_CONFIG_GLOBAL" : "UNUSED"});
      INFO(file << ": " << command << "\n" << run.out << run.err);
      CHECK(run.status == 3);
      CHECK(Has(run.err, path + ": is a pipe or a device, no file, and git would wait for it"));
    }
    ::unlink(path.c_str());
    (void)std::rename(aside.c_str(), path.c_str());
  };
  for (const char* folder : {"ann", "ann/src", "two", "two/src"}) ends("ann/.git/config", folder);
  ends(".gitconfig", "ann");
  ends("gitconfig", "ann");
  // What a configuration names, and what stands in the repository's own folder.
  team.sandbox.Write("gitconfig", team.sandbox.Read("gitconfig") +
                                      "[include] path = \"mine\" \n[include]\n\tPath=~/his\n");
  team.sandbox.Write("his", "[core]\nattributesFile = attributes\nexcludesFile = ignore\n");
  team.sandbox.Write("git/other", "");
  for (const char* file : {"mine", "his", "attributes", "ignore", "git/ignore", "ann/.git/HEAD",
                           "ann/.git/index", "ann/.git/packed-refs", "ann/.git/commondir",
                           "ann/.git/refs/heads/x", "ann/.git/objects/info/alternates"})
    ends(file, "ann");
  ends("ann/.git/worktrees/two/HEAD", "two");
  // A device that is read to its end is a configuration of nothing.
  CHECK(team.sandbox.Run("ann", {ProgramPath(), "check"}, {"GIT_CONFIG_GLOBAL=/dev/null"}).status ==
        0);
}

TEST_CASE("pipes: the file is named", "[pipes]") {
  const Team team({"ann"});
  ::unlink(team.sandbox.Path("ann/.gitattributes").c_str());
  REQUIRE(::mkfifo(team.sandbox.Path("ann/.gitattributes").c_str(), 0600) == 0);
  const auto run = team.sandbox.Run("ann", {"timeout", "60", ProgramPath(), "check"});
  CHECK(run.status == 3);
  CHECK(Has(run.err, "/.gitattributes: is a pipe or a device, no file, and git would wait for it"));
  CHECK(Has(run.err, "fix: rm "));
}
