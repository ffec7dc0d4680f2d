// A user's macro may contain several registrations, which then all have the same line number.
#include "harness/trace/registry.h"

#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"

namespace {
enum Rev { SR_INITIAL = 1 };
struct First {
  std::int32_t value = 0;
};
SERIALIZE_TYPE(First) { ADD(SR_INITIAL, value); }
SERIALIZE_END
struct Second {
  std::int32_t value = 0;
};
SERIALIZE_TYPE(Second) { ADD(SR_INITIAL, value); }
SERIALIZE_END
}  // namespace
NAMED(First, "registry.First");
NAMED(Second, "registry.Second");

#define ROOT(T)                               \
  HARNESS_TYPE(T, SR_INITIAL);                \
  HARNESS_BUDGET(T, 4096);                    \
  HARNESS_FORMAT(T, {.magic = 0x4C56454C});   \
  HARNESS_SAMPLE(T, "seven") { d.value = 7; } \
  HARNESS_SAMPLE(T, "eight") { d.value = 8; } \
  HARNESS_RETIRED("old " #T, SR_INITIAL, "a test")
// clang-format off
ROOT(First); ROOT(Second);
// clang-format on

namespace revctl::harness {

TEST_CASE("registry: several registrations may be on one line", "[harness][registry]") {
  const Registry registry = TakeRegistry();
  CHECK(registry.mistakes.empty());
  for (const char* name : {"registry.First", "registry.Second"}) {
    const RootType* root = registry.Find(name);
    REQUIRE(root != nullptr);
    CHECK(root->budget == 4096);
    CHECK(root->format.magic == 0x4C56454C);
    REQUIRE(root->samples.size() == 2);
    std::int32_t made[2] = {};
    root->samples[0].make(&made[0]);
    root->samples[1].make(&made[1]);
    CHECK(made[0] == 7);
    CHECK(made[1] == 8);
  }
  CHECK(registry.FindRetired("old First"));
  CHECK(registry.FindRetired("old Second"));
}

}  // namespace revctl::harness
