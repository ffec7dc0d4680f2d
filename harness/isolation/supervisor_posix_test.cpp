// Checks that the supervisor works even if a child closes its files, and that no child outlives its
// parent.
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <utility>

#include <revctl/serialize.h>

#include "harness/isolation/supervisor.h"

namespace revctl::harness {
namespace {

using namespace std::chrono_literals;

const Registry kNothing;
constexpr auto kStays = [] { return false; };

Ending EndingOfJob(const JobKind& kind, const WatchLimits& limits = {}) {
  Supervisor supervisor;
  REQUIRE(supervisor.Start({kind, {kNothing}}));
  return supervisor.Finish(kStays, limits);
}

/// Closes all files, including the pipe to the parent, and continues.
std::string Vanish(bool sleeps) {
  for (int file = 3; file < 1024; ++file) ::close(file);
  for (;;) {
    if (sleeps) ::pause();
  }
}

const JobKind kVanishes("test: spins without files", [](const JobInput&) { return Vanish(false); });
const JobKind kVanishesAsleep("test: sleeps without files",
                              [](const JobInput&) { return Vanish(true); });
const JobKind kPrints("test: prints", [](const JobInput&) -> std::string {
  return ::write(STDOUT_FILENO, "{}", 2) == 2 ? "well" : "";
});
const JobKind kKilled("test: killed", [](const JobInput&) -> std::string {
  ::raise(SIGKILL);
  return "";
});
TEST_CASE("supervisor: says which signal ended a child", "[harness][isolation]") {
  const Ending killed = EndingOfJob(kKilled);
  CHECK(killed.how == Ending::How::Signal);
  CHECK(killed.number == SIGKILL);
}

TEST_CASE("supervisor: ends a child that closes its files and hangs", "[harness][isolation]") {
  CHECK(EndingOfJob(kVanishes, {.wall = 200ms}).how == Ending::How::Hangs);
  CHECK(EndingOfJob(kVanishesAsleep, {.wall = 200ms}).how == Ending::How::Hangs);
  CHECK(EndingOfJob(kVanishesAsleep, {.idle = 200ms}).how == Ending::How::Hangs);
}

TEST_CASE("supervisor: what a child prints is not among the results", "[harness][isolation]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const int before[] = {::dup(STDOUT_FILENO), ::dup(STDERR_FILENO)};
  ::dup2(ends[1], STDOUT_FILENO);
  const int nowhere = ::open("/dev/null", O_WRONLY);
  ::dup2(nowhere, STDERR_FILENO);
  const Ending end = EndingOfJob(kPrints);
  ::dup2(before[0], STDOUT_FILENO);
  ::dup2(before[1], STDERR_FILENO);
  for (const int file : {before[0], before[1], nowhere, ends[1]}) ::close(file);
  char printed[2];
  CHECK(::read(ends[0], printed, sizeof printed) == 0);
  ::close(ends[0]);
  CHECK(end.how == Ending::How::Well);
}

/// Reports over a pipe that it runs, and then waits. The argument is the pipe's descriptor.
const JobKind kWaits("test: waits", [](const JobInput& input) -> std::string {
  std::int32_t file = -1;
  if (!Unpack(input.arguments, file)) return "";
  for (char runs = 'r'; ::write(file, &runs, 1) == 1;) ::pause();
  return "";
});
/// Starts kWaits, and kills its own process as soon as kWaits runs.
const JobKind kParent("test: parent", [](const JobInput& input) -> std::string {
  std::pair<std::int32_t, std::int32_t> ends;
  if (!Unpack(input.arguments, ends)) return "";
  Supervisor child;
  if (!child.Start({kWaits, {kNothing}, Pack(ends.second)})) return "";
  char runs = 0;
  if (::read(ends.first, &runs, 1) == 1) ::raise(SIGKILL);
  return "";
});

TEST_CASE("supervisor: a child ends with a parent that is killed", "[harness][isolation]") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  Supervisor parent;
  REQUIRE(parent.Start({kParent, {kNothing}, Pack(std::pair(ends[0], ends[1]))}));
  ::close(ends[1]);
  CHECK(parent.Finish(kStays, {.wall = 10s}).number == SIGKILL);
  // Both children must have closed the other end of the pipe.
  pollfd closed{ends[0], POLLIN, 0};
  CHECK(::poll(&closed, 1, 10000) == 1);
  ::close(ends[0]);
}

}  // namespace
}  // namespace revctl::harness
