// GH005 must report members without an initializer in objects that are saved right after
// construction.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1 };
enum class Mode : std::uint16_t { Calm, Angry };
enum Old { kOldNone, kOldSome };

struct Hud {
  bool shown;
};
SERIALIZE_TYPE(Hud) { ADD(SR_INITIAL, shown); }
SERIALIZE_END

struct HudSound {
  bool shown = false;
};
SERIALIZE_TYPE(HudSound) { ADD(SR_INITIAL, shown); }
SERIALIZE_END

struct Widget {
  float x = 0;
  Mode mode;
};
SERIALIZE_TYPE(Widget) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, mode);
}
SERIALIZE_END

struct Screen {
  Widget widget;
  std::array<Widget, 2> more;
  double scale;
  Old old;
  std::int16_t unset[3];
  std::string title;
};
SERIALIZE_TYPE(Screen) {
  ADD(SR_INITIAL, widget);
  ADD(SR_INITIAL, more);
  ADD(SR_INITIAL, scale);
  ADD(SR_INITIAL, old);
  ADD(SR_INITIAL, unset);
  ADD(SR_INITIAL, title);
}
SERIALIZE_END

struct Base {
  std::int32_t id;
};
SERIALIZE_TYPE(Base) { ADD(SR_INITIAL, id); }
SERIALIZE_END
struct Derived : Base {
  std::int32_t hp = 1;
};
SERIALIZE_TYPE(Derived) {
  ADD_BASE(SR_INITIAL, Base);
  ADD(SR_INITIAL, hp);
}
SERIALIZE_END

/// The constructor sets all saved members, while padding and some unsaved members stay
/// uninitialized.
struct Tidy {
  Tidy() : small(1), large(2) {}
  std::int8_t small;
  std::int64_t large;
  std::int32_t cache;
  void* owner;
};
SERIALIZE_TYPE(Tidy) {
  ADD(SR_INITIAL, small);
  ADD(SR_INITIAL, large);
  SERIALIZE_IGNORE(cache);
  SERIALIZE_IGNORE(owner);
}
SERIALIZE_END

struct Flags {
  std::uint32_t open : 3;
  std::uint32_t kind : 5;
};
SERIALIZE_TYPE(Flags) {
  ADD_BITS(SR_INITIAL, std::uint8_t, open);
  ADD_BITS(SR_INITIAL, std::uint8_t, kind);
}
SERIALIZE_END

/// The constructor leaves one member unset, so `resize` creates elements that contain garbage.
struct Slot {
  Slot() {}
  std::int32_t count = 0;
  bool used;
};
SERIALIZE_TYPE(Slot) {
  ADD(SR_INITIAL, count);
  ADD(SR_INITIAL, used);
}
SERIALIZE_END
struct Bag {
  std::vector<Slot> slots;
};
SERIALIZE_TYPE(Bag) { ADD(SR_INITIAL, slots); }
SERIALIZE_END

/// `resize` sets the elements' member to 0, but `Coin coin;` does not.
struct Coin {
  std::int32_t worth;
};
SERIALIZE_TYPE(Coin) { ADD(SR_INITIAL, worth); }
SERIALIZE_END
struct Purse {
  std::vector<Coin> coins;
};
SERIALIZE_TYPE(Purse) { ADD(SR_INITIAL, coins); }
SERIALIZE_END

}  // namespace

namespace revctl::harness::test {
namespace {

template <class T>
CheckResult CheckOf() {
  const Folder folder;
  const Program program = Program(1).Type<T>();
  program.Record(folder);
  return program.Check(folder);
}

}  // namespace

TEST_CASE("check: a member without an initializer in a fresh object is GH005",
          "[harness][signals][memory]") {
  const CheckResult result = CheckOf<Hud>();
  INFO(Text(result));
  const Finding finding = Find(result, "GH005", "Hud", "shown");
  CHECK(finding.severity == Severity::Error);
  CHECK_THAT(
      finding.message,
      Catch::StartsWith(
          "Hud.shown is never initialized, so a fresh object saves whatever was in its memory"));
  CHECK(finding.fix == "initialize it where it is declared");
  CHECK_THAT(SourceLine(finding), Catch::Contains("ADD(SR_INITIAL, shown)"));
  CHECK(CheckOf<HudSound>().findings.empty());
}

TEST_CASE("check: members without an initializer are one finding per type",
          "[harness][signals][memory]") {
  const CheckResult result = CheckOf<Screen>();
  INFO(Text(result));
  const Finding finding = Find(result, "GH005", "Screen", "widget.mode");
  CHECK(finding.details == "also affected: more[].mode, scale, old and 1 more");
  CHECK(result.findings.size() == 1);
}

TEST_CASE("check: members of bases and bit-fields without an initializer are GH005",
          "[harness][signals][memory]") {
  const CheckResult derived = CheckOf<Derived>(), flags = CheckOf<Flags>();
  INFO(Text(derived) << Text(flags));
  CHECK(derived.findings.size() == 1);
  CHECK_THAT(derived.findings.at(0).field, Catch::EndsWith("id"));
  CHECK(Find(flags, "GH005", "Flags", "open").details == "also affected: kind");
}

TEST_CASE("check: padding and members that are not saved need no initializer",
          "[harness][signals][memory]") {
  const CheckResult result = CheckOf<Tidy>();
  INFO(Text(result));
  CHECK(result.findings.empty());
}

TEST_CASE("check: a member of elements without an initializer is GH005",
          "[harness][signals][memory]") {
  const CheckResult result = CheckOf<Bag>(), coins = CheckOf<Purse>();
  INFO(Text(result) << Text(coins));
  const Finding slot = Find(result, "GH005", "Slot", "used"),
                coin = Find(coins, "GH005", "Coin", "worth");
  CHECK(slot.severity == Severity::Error);
  CHECK_THAT(slot.message, Catch::Contains("a fresh Slot saves"));
  CHECK(coin.severity == Severity::Warning);
  CHECK(coins.findings.size() == 1);
}

}  // namespace revctl::harness::test
