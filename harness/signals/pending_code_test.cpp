// GH004 with a pending revision that does not change values, but changes the encoding of old files,
// such as counters of CHECK_INTEGRITY or class names. Unrelated changes must still be errors.
#include <catch2/catch.hpp>
#include <memory>

#include <revctl/objects.h>
#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

/// Selects which changes the code of SR_FOULS makes. `Loses` and some other variants also make a
/// change that has nothing to do with SR_FOULS.
enum What { Before, Counts, Loses, CountsEarlier };
enum Names { AsBefore, Renamed, RenamedAndClamped, RenamedAndConverted, RenamedWithoutRevision };

template <What what>
struct Coin {
  std::int32_t worth = 1, year = 2;
};
SERIALIZE_TEMPLATE((What what), Coin<what>) {
  ADD(SR_INITIAL, worth);
  if constexpr (what == CountsEarlier) CHECK_INTEGRITY(SR_INITIAL);
  if constexpr (what != Before) CHECK_INTEGRITY(SR_FOULS);
  ADD(SR_INITIAL, year);
  if (r.IsReading() && what == Loses) d.year = static_cast<std::int16_t>(d.year);
}
SERIALIZE_END

template <What what>
struct Purse {
  std::vector<Coin<what>> coins;
  std::int32_t owner = 0, extra = 3;
};
SERIALIZE_TEMPLATE((What what), Purse<what>) {
  ADD(SR_INITIAL, owner);
  ADD(SR_INITIAL, coins);
  CHECK_INTEGRITY(SR_INITIAL);
  if constexpr (what == Before) {
    SERIALIZE_IGNORE(extra);
  } else {
    ADD(SR_FOULS, extra);
    CHECK_INTEGRITY(SR_FOULS);
  }
}
SERIALIZE_END

template <Names names>
struct Knight {
  std::int32_t hp = 10, armour = 2, mount = 4;
};
SERIALIZE_TEMPLATE((Names names), Knight<names>) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, armour);
  if constexpr (names == Renamed) {
    ADD(SR_FOULS, mount);
  } else {
    SERIALIZE_IGNORE(mount);
  }
  if (r.IsReading() && names == RenamedAndClamped) d.armour = static_cast<std::int16_t>(d.armour);
  if (r.IsReading() && names == RenamedAndConverted && r.revision < SR_FOULS) d.armour ^= 1;
}
SERIALIZE_END

template <Names names>
struct Stable {
  std::vector<std::unique_ptr<Knight<names>>> all;
  static const revctl::ObjectClasses& Classes() {
    static const auto classes = [] {
      using revctl::ObjectClasses;
      if constexpr (names == AsBefore) return ObjectClasses().Add<Knight<names>>("Knight");
      else if constexpr (names == RenamedWithoutRevision)
        return ObjectClasses().Add<Knight<names>>("Rider").Renamed("Knight", "Rider");
      else return ObjectClasses().Add<Knight<names>>("Rider").Renamed("Knight", "Rider", SR_FOULS);
    }();
    return classes;
  }
};
SERIALIZE_TEMPLATE((Names names), Stable<names>) {
  ADD_OBJECTS(SR_INITIAL, Stable<names>::Classes(), all);
}
SERIALIZE_END

}  // namespace

// All variants have the same name, so that the store treats them as versions of one type.
template <What what>
struct revctl::NameOf<Coin<what>> {
  static std::string Name() { return "Coin"; }
};
template <What what>
struct revctl::NameOf<Purse<what>> {
  static std::string Name() { return "Purse"; }
};
template <Names names>
struct revctl::NameOf<Knight<names>> {
  static std::string Name() { return "Knight"; }
};
template <Names names>
struct revctl::NameOf<Stable<names>> {
  static std::string Name() { return "Stable"; }
};

namespace revctl::harness::test {
namespace {

/// Returns all errors except the one about the missing goldens of the pending revision.
std::vector<std::string> Wrong(const CheckResult& result) {
  std::vector<std::string> errors = Errors(result);
  std::erase(errors, "GH007 .");
  return errors;
}

template <What what>
Program Purses(std::size_t revisions) {
  return Program(revisions).Type<Purse<what>>();
}
template <Names names>
Program Stables(std::size_t revisions) {
  return Program(revisions).Type<Stable<names>>();
}

}  // namespace

TEST_CASE("upgrade: counters of a pending revision explain the change",
          "[harness][signals][stowaways]") {
  const Folder folder;
  Purses<Before>(1).Record(folder);
  const Program counts = Purses<Counts>(2);
  const CheckResult pending = counts.Check(folder);
  INFO(Text(pending));
  CHECK(Wrong(pending).empty());
  counts.Record(folder);
  const CheckResult after = counts.Check(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());
}

TEST_CASE("upgrade: counters of a pending revision do not hide other changes",
          "[harness][signals][stowaways]") {
  const Folder folder;
  Purses<Before>(1).Record(folder);
  const CheckResult loses = Purses<Loses>(2).Check(folder);
  INFO(Text(loses));
  CHECK(Wrong(loses) == std::vector<std::string>{"GH004 Purse.coins[0].year"});
  // A counter gated by an older revision is not an effect of the pending revision.
  const CheckResult earlier = Purses<CountsEarlier>(2).Check(folder);
  INFO(Text(earlier));
  CHECK_FALSE(Wrong(earlier).empty());
}

TEST_CASE("upgrade: a class renamed by a pending revision is explained",
          "[harness][signals][stowaways]") {
  const Folder folder;
  Stables<AsBefore>(1).Record(folder);
  const Program renamed = Stables<Renamed>(2);
  const CheckResult pending = renamed.Check(folder);
  INFO(Text(pending));
  CHECK(Wrong(pending).empty());
  renamed.Record(folder);
  const CheckResult after = renamed.Check(folder);
  INFO(Text(after));
  CHECK(after.findings.empty());
}

TEST_CASE("upgrade: a class renamed by a pending revision does not hide other changes",
          "[harness][signals][stowaways]") {
  const Folder folder;
  Stables<AsBefore>(1).Record(folder);
  const CheckResult converted = Stables<RenamedAndConverted>(2).Check(folder);
  INFO(Text(converted));
  CHECK(Wrong(converted).empty());
  const CheckResult clamped = Stables<RenamedAndClamped>(2).Check(folder);
  INFO(Text(clamped));
  REQUIRE_FALSE(Wrong(clamped).empty());
  for (const std::string& error : Wrong(clamped)) CHECK_THAT(error, Catch::Contains("armour"));
  const CheckResult at_once = Stables<RenamedWithoutRevision>(2).Check(folder);
  INFO(Text(at_once));
  CHECK_FALSE(Wrong(at_once).empty());
}

}  // namespace revctl::harness::test
