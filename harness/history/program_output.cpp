#include "harness/history/program_output.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace revctl::harness {

ProgramOutput RunProgram(std::vector<std::string> words, Complaints complaints) {
  ProgramOutput output;
  std::vector<char*> arguments, environment;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (!std::string_view(*variable).starts_with("GIT_")) environment.push_back(*variable);
  }
  environment.push_back(nullptr);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return output;
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (complaints == Complaints::Dropped)
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  output.started = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(),
                                  environment.data()) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  char part[1 << 14];
  for (ssize_t count = 0; output.started && ((count = ::read(ends[0], part, sizeof part)) > 0 ||
                                             (count < 0 && errno == EINTR));) {
    if (count > 0) output.text.append(part, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = -1;
  output.ok = output.started && ::waitpid(child, &status, 0) == child && status == 0;
  return output;
}

}  // namespace revctl::harness
