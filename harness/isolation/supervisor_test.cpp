// Checks that the supervisor gets a child's complete answer and reports how the child ended.
#include "harness/isolation/supervisor.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace revctl::harness {
namespace {

using namespace std::chrono_literals;

const Registry kNoTypes;
constexpr auto kStill = [] { return false; };

const JobKind kLong("test: long answer", [](const JobInput& input) -> std::string {
  std::uint64_t size = 0;
  if (!Unpack(input.arguments, size)) return "";
  return std::string(static_cast<std::size_t>(size), 'x');
});
const JobKind kSeven("test: exit status 7", [](const JobInput&) -> std::string { std::_Exit(7); });
const JobKind kThrows("test: throws", [](const JobInput&) -> std::string {
  std::signal(SIGABRT, SIG_DFL);
  throw std::runtime_error("of a body");
});
const JobKind kCrashes("test: crashes", [](const JobInput&) -> std::string {
  volatile int* volatile nowhere = nullptr;
  *nowhere = 1;
  return "";
});
const JobKind kSpins("test: spins", [](const JobInput&) -> std::string {
  for (volatile bool spins = true; spins;) {
  }
  return "";
});
const JobKind kSleeps("test: sleeps", [](const JobInput&) -> std::string {
  std::this_thread::sleep_for(1h);
  return "";
});
const JobKind kPrintsALot("test: prints a lot", [](const JobInput&) -> std::string {
  for (int i = 0; i < 3; ++i) std::fputs(std::string(100000, 'x').c_str(), stdout);
  std::fflush(stdout);
  return "printed";
});
const JobKind kLate("test: late", [](const JobInput&) -> std::string {
  std::this_thread::sleep_for(1200ms);
  return "done";
});

Ending EndOf(const JobKind& kind, const WatchLimits& limits = {}) {
  Supervisor supervisor;
  REQUIRE(supervisor.Start({kind, {kNoTypes}}));
  return supervisor.Finish(kStill, limits);
}

TEST_CASE("supervisor: a long answer comes whole, one after another", "[harness][isolation]") {
  Supervisor supervisor;
  for (const std::uint64_t size : {std::uint64_t{3} << 20, std::uint64_t{0}, std::uint64_t{1}}) {
    REQUIRE(supervisor.Start({kLong, {kNoTypes}, Pack(size)}));
    CHECK(supervisor.running());
    CHECK(supervisor.Finish(kStill, {}).how == Ending::How::Well);
    CHECK_FALSE(supervisor.running());
    CHECK(supervisor.answer().size() == size);
  }
}

TEST_CASE("supervisor: says how a child ended", "[harness][isolation]") {
  const Ending status = EndOf(kSeven);
  CHECK(status.how == Ending::How::Status);
  CHECK(status.number == 7);
  // A child whose work throws must not return to the code that started it.
  const Ending thrown = EndOf(kThrows);
  CHECK(EndingWords(thrown) == test::kAborted);
  // With sanitizers, the ending differs, because the sanitizer catches the crash.
  if (!test::kSanitized) CHECK(EndingWords(EndOf(kCrashes)) == test::kCrashed);
}

TEST_CASE("supervisor: ends a child that hangs", "[harness][isolation]") {
  CHECK(EndOf(kSpins, {.wall = 300ms}).how == Ending::How::Hangs);
  CHECK(EndOf(kSleeps, {.wall = 300ms}).how == Ending::How::Hangs);
  CHECK(EndOf(kSleeps, {.idle = 300ms}).how == Ending::How::Hangs);
}

TEST_CASE("supervisor: gets what a child prints", "[harness][isolation]") {
  Supervisor supervisor;
  REQUIRE(supervisor.Start({kPrintsALot, {kNoTypes}}));
  CHECK(supervisor.Finish(kStill, {}).how == Ending::How::Well);
  CHECK(supervisor.printed() == std::string(SystemChild::kMostPrinted, 'x'));
  CHECK(supervisor.answer() == "printed");
}

TEST_CASE("supervisor: a child that moves on gets its whole time again", "[harness][isolation]") {
  Supervisor supervisor;
  REQUIRE(supervisor.Start({kLate, {kNoTypes}}));
  bool moved = false;
  const auto every_other_time = [&] { return moved = !moved; };
  CHECK(supervisor.Finish(every_other_time, {.wall = 700ms}).how == Ending::How::Well);
  CHECK(supervisor.answer() == "done");
}

}  // namespace
}  // namespace revctl::harness
