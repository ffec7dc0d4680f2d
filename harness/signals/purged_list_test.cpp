// A list without its purged first entries: code that named them begins at the oldest revision left.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testdata/named.h"
#include "harness/testing/test_program.h"

namespace {
enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };
}  // namespace

namespace unpurged {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  REM(SR_INITIAL, SR_FOULS, std::int32_t, luck, 3);
  REM(SR_INITIAL, SR_PLAYERS, std::int16_t, age, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace unpurged

namespace follows {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_FOULS, hp);
  REM(SR_FOULS, SR_PLAYERS, std::int16_t, age, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace follows

namespace too_late {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_PLAYERS, hp);
  REM(SR_FOULS, SR_PLAYERS, std::int16_t, age, 4);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace too_late

namespace too_much_removed {
struct Hero {
  std::int32_t hp = 0, mana = 0, rank = 0;
};
SERIALIZE_TYPE(Hero) {
  ADD(SR_FOULS, hp);
  ADD(SR_FOULS, mana);
  ADD(SR_PLAYERS, rank);
}
SERIALIZE_END
}  // namespace too_much_removed

NAMED(unpurged::Hero, "Hero");
NAMED(follows::Hero, "Hero");
NAMED(too_late::Hero, "Hero");
NAMED(too_much_removed::Hero, "Hero");

namespace revctl::harness::test {
namespace {

/// Returns the errors of today's types with a list that begins at SR_FOULS.
template <class Hero>
std::vector<std::string> ErrorsOncePurged(const Folder& folder) {
  Program program = Program(3).Type<Hero>(2);
  program.entries.erase(program.entries.begin());
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  CheckOptions options;
  options.program = "save_harness";
  return Errors(Check(program.registry, {"main", program.entries, 2}, store, options));
}

}  // namespace

TEST_CASE("check: fields of purged revisions begin at the oldest", "[harness][signals][layout]") {
  const Folder folder;
  for (std::size_t newest = 1; newest <= 3; ++newest)
    Program(newest).Type<unpurged::Hero>().Record(folder);
  CHECK(ErrorsOncePurged<unpurged::Hero>(folder) == std::vector<std::string>{});
  CHECK(ErrorsOncePurged<follows::Hero>(folder) == std::vector<std::string>{});
  // Files of the remaining revisions are checked as usual.
  CHECK(ErrorsOncePurged<too_late::Hero>(folder).front() == "GH001 Hero.hp");
  CHECK(ErrorsOncePurged<too_much_removed::Hero>(folder).front() == "GH001 Hero.age");
}

}  // namespace revctl::harness::test
