#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "harness/testing/test_program.h"

namespace revctl::harness::test {

std::string KillAt() { return REVCTL_KILL_AT; }

Ran Run(const Folder& folder, const std::string& command) {
  const std::string whole = "cd '" + folder.path() + "' && unset CI && export NO_COLOR=1 && " +
                            command + " >out.txt 2>err.txt";
  const int status = std::system(whole.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Bytes(folder.path() + "/out.txt"),
          Bytes(folder.path() + "/err.txt")};
}

Ran RunAtTerminal(const Folder& folder, std::vector<std::string> words, const std::string& typed,
                  bool ci) {
  int terminal = -1;
  winsize size{};
  size.ws_col = 60;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, &size);
  REQUIRE(child >= 0);
  if (child == 0) {
    if (::chdir(folder.path().c_str()) != 0) ::_exit(99);
    ::unsetenv("CI");
    if (ci) ::setenv("CI", "true", 1);
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(argv.front(), argv.data());
    ::_exit(99);
  }
  REQUIRE(::write(terminal, typed.data(), typed.size()) == static_cast<ssize_t>(typed.size()));
  Ran ran;
  char buffer[4096];
  for (ssize_t got; (got = ::read(terminal, buffer, sizeof buffer)) > 0;)
    ran.out.append(buffer, static_cast<std::size_t>(got));
  int status = 0;
  ::waitpid(child, &status, 0);
  ::close(terminal);
  ran.exit = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return ran;
}

}  // namespace revctl::harness::test
