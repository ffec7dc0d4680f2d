// The storm keeps to its budget, whatever an input costs. Counted, not timed: a reading body takes
// at least kEach, so that only so many fit into the budget, on whatever machine.
#include "harness/hostile_input.h"

#include <sys/mman.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>

#include "harness/test_program.h"
#include "revctl/serialize.h"

namespace {

enum Rev { SR_INITIAL = 1 };
using namespace std::chrono_literals;
constexpr auto kEach = 10ms;

/// Reads in all processes, and whether a read of a golden's size is to end its process.
struct Counted {
  std::atomic<int> reads;
  std::atomic<bool> slow, fragile;
};
Counted& Shared() {
  static auto* shared = new (::mmap(nullptr, sizeof(Counted), PROT_READ | PROT_WRITE,
                                    MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Counted{};
  return *shared;
}

struct Slow {
  std::vector<std::uint32_t> values;
};
SERIALIZE_TYPE(Slow) {
  if (r.IsReading() && Shared().slow) {
    ++Shared().reads;
    for (const auto end = std::chrono::steady_clock::now() + kEach;
         std::chrono::steady_clock::now() < end;) {
    }
    if (Shared().fragile) std::_Exit(7);
  }
  ADD(SR_INITIAL, values);
}
SERIALIZE_END

}  // namespace

namespace harness::test {

TEST_CASE("storm: it takes its time and no more, and none without any",
          "[harness][storm]") {
  const Folder folder;
  const Program program = Program(1).Type<Slow>();
  program.Record(folder);
  const golden::Store store = golden::Store::Open(folder.path());
  const revctl::ListTable list = program.List();
  const History history(list, store);
  REQUIRE(history.Goldens(program.registry.types[0].name).size() > 2);
  const RootType& root = program.registry.types[0];
  Shared().slow = true;
  constexpr double kSeconds = 0.3;
  constexpr int kMost = 30 + 4;  // one begun before the end; a body may run twice for an error

  const StormResult fine = Storm(root, history, kSeconds, 1);
  CHECK(fine.inputs > 0);
  CHECK(fine.inputs <= kMost);
  CHECK(static_cast<std::uint64_t>(Shared().reads) >= fine.inputs);
  CHECK(Shared().reads <= kMost);

  // Making crashing inputs small is paid from the same budget.
  Shared().reads = 0;
  Shared().fragile = true;
  const StormResult crashed = Storm(root, history, kSeconds, 1);
  CHECK_FALSE(crashed.crashes.empty());
  CHECK(Shared().reads <= kMost);

  Shared().reads = 0;
  CHECK(Storm(root, history, 0, 1).inputs == 0);
  CHECK(Shared().reads == 0);
  Shared().fragile = Shared().slow = false;

  // Where reading is quick, there is always one more input to try.
  constexpr double kAll = 4;
  const auto begin = std::chrono::steady_clock::now();
  const StormResult whole = Storm(root, history, kAll, 1);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  CHECK(took.count() >= kAll);
  CHECK(whole.inputs > 1000);
  CHECK(whole.crashes.empty());
}

}  // namespace harness::test
