// Checks that the supervisor gets a child's complete answer and reports how the child ended, even
// if the child closed its files.
#include "harness/isolation/supervisor.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <stdexcept>
#include <thread>

namespace revctl::harness {
namespace {

using namespace std::chrono_literals;

/// Closes all files, including the pipe to the parent, and continues.
std::string Vanish(bool sleeps) {
  for (int file = 3; file < 1024; ++file) ::close(file);
  for (;;) {
    if (sleeps) ::pause();
  }
}

Ending EndOf(const std::function<std::string()>& work, const WatchLimits& limits = {}) {
  Supervisor supervisor;
  REQUIRE(supervisor.Start(work));
  return supervisor.Finish([] { return false; }, limits);
}

TEST_CASE("supervisor: a long answer comes whole, one after another", "[harness][isolation]") {
  Supervisor supervisor;
  for (const std::size_t size : {std::size_t{3} << 20, std::size_t{0}, std::size_t{1}}) {
    REQUIRE(supervisor.Start([&] { return std::string(size, 'x'); }));
    CHECK(supervisor.running());
    CHECK(supervisor.Finish([] { return false; }, {}).how == Ending::How::Well);
    CHECK_FALSE(supervisor.running());
    CHECK(supervisor.answer().size() == size);
  }
}

TEST_CASE("supervisor: says how a child ended", "[harness][isolation]") {
  const Ending status = EndOf([]() -> std::string { ::_exit(7); });
  CHECK(status.how == Ending::How::Status);
  CHECK(status.number == 7);
  const Ending killed = EndOf([]() -> std::string {
    ::raise(SIGKILL);
    return "";
  });
  CHECK(killed.how == Ending::How::Signal);
  CHECK(killed.number == SIGKILL);
  // A child whose work throws must not return to the code that started it.
  const Ending thrown = EndOf([]() -> std::string {
    ::signal(SIGABRT, SIG_DFL);
    throw std::runtime_error("of a body");
  });
  CHECK(thrown.how == Ending::How::Signal);
  CHECK(thrown.number == SIGABRT);
}

TEST_CASE("supervisor: ends a child that closes its files and hangs", "[harness][isolation]") {
  CHECK(EndOf([] { return Vanish(false); }, {.wall = 200ms}).how == Ending::How::Hangs);
  CHECK(EndOf([] { return Vanish(true); }, {.wall = 200ms}).how == Ending::How::Hangs);
  CHECK(EndOf([] { return Vanish(true); }, {.idle = 200ms}).how == Ending::How::Hangs);
}

TEST_CASE("supervisor: what a child prints is not among the results", "[harness][isolation]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const int before[] = {::dup(STDOUT_FILENO), ::dup(STDERR_FILENO)};
  ::dup2(ends[1], STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDERR_FILENO);
  const Ending end =
      EndOf([]() -> std::string { return ::write(STDOUT_FILENO, "{}", 2) == 2 ? "well" : ""; });
  ::dup2(before[0], STDOUT_FILENO);
  ::dup2(before[1], STDERR_FILENO);
  for (const int file : {before[0], before[1], nowhere, ends[1]}) ::close(file);
  char printed[2];
  CHECK(::read(ends[0], printed, sizeof printed) == 0);
  ::close(ends[0]);
  CHECK(end.how == Ending::How::Well);
}

TEST_CASE("supervisor: a child ends with a parent that is killed", "[harness][isolation]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  Supervisor parent;
  REQUIRE(parent.Start([&] {
    Supervisor child;
    child.Start([&]() -> std::string {
      for (char runs = 'r'; ::write(ends[1], &runs, 1) == 1;) ::pause();
      return "";
    });
    char runs = 0;
    if (::read(ends[0], &runs, 1) == 1) ::raise(SIGKILL);
    return std::string();
  }));
  ::close(ends[1]);
  CHECK(parent.Finish([] { return false; }, {.wall = 10s}).number == SIGKILL);
  // Both children must have closed the other end of the pipe.
  pollfd closed{ends[0], POLLIN, 0};
  CHECK(::poll(&closed, 1, 10000) == 1);
  ::close(ends[0]);
}

TEST_CASE("supervisor: a child that moves on gets its whole time again", "[harness][isolation]") {
  Supervisor supervisor;
  REQUIRE(supervisor.Start([] {
    std::this_thread::sleep_for(1200ms);
    return std::string("done");
  }));
  bool moved = false;
  const auto every_other_time = [&] { return moved = !moved; };
  CHECK(supervisor.Finish(every_other_time, {.wall = 700ms}).how == Ending::How::Well);
  CHECK(supervisor.answer() == "done");
}

}  // namespace
}  // namespace revctl::harness
