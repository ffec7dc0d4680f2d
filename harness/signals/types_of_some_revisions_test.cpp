// Tests types that occur only at some revisions, because a field of the type was added or removed.
#include <catch2/catch.hpp>

#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

enum class Color : std::uint8_t { Red, Green, Blue };
enum class Inserted : std::uint8_t { Red, Orange, Green, Blue };
enum class Renamed : std::uint8_t { Red, Lime, Blue };
enum class Appended : std::uint8_t { Red, Green, Blue, Pink };

template <class C>
struct Box {
  C color{};
};
SERIALIZE_TEMPLATE((class C), Box<C>) { ADD(SR_INITIAL, color); }
SERIALIZE_END

enum class When { Always, Ended, Begun };
template <class C, When when>
struct Hero {
  std::int32_t hp = 0;
  Box<C> box;
};
SERIALIZE_TEMPLATE((class C, When when), Hero<C, when>) {
  ADD(SR_INITIAL, hp);
  if constexpr (when == When::Always) {
    ADD(SR_INITIAL, box);
  } else if constexpr (when == When::Ended) {
    REM(SR_INITIAL, SR_FOULS, box);
  } else {
    ADD(SR_FOULS, box);
  }
}
SERIALIZE_END

/// A type whose member is later removed. A REM's local variable then reads the member's value from
/// old files. `Boxes` may contain the same enum.
template <class C, class Boxes>
struct Before {
  C color{};
  Boxes boxes{};
};
SERIALIZE_TEMPLATE((class C, class Boxes), Before<C, Boxes>) {
  ADD(SR_INITIAL, color);
  ADD(SR_INITIAL, boxes);
}
SERIALIZE_END
template <class C, class Boxes>
struct After {
  Boxes boxes{};
  std::int32_t paint = 0;
};
SERIALIZE_TEMPLATE((class C, class Boxes), After<C, Boxes>) {
  REM(SR_INITIAL, SR_FOULS, C, color, C::Red);
  ADD(SR_INITIAL, boxes);
  ADD(SR_FOULS, paint);
  if (r.IsReading() && r.revision < SR_FOULS) d.paint = static_cast<std::int32_t>(color);
}
SERIALIZE_END

struct Bare {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Bare) { ADD(SR_INITIAL, hp); }
SERIALIZE_END

}  // namespace

// All variants have the same name, so that the store treats them as versions of one type.
namespace revctl {
template <class C>
struct NameOf<Box<C>> {
  static std::string Name() { return "Box"; }
};
template <class C, When when>
struct NameOf<Hero<C, when>> {
  static std::string Name() { return "Hero"; }
};
template <class C, class Boxes>
struct NameOf<Before<C, Boxes>> {
  static std::string Name() { return "Flag"; }
};
template <class C, class Boxes>
struct NameOf<After<C, Boxes>> {
  static std::string Name() { return "Flag"; }
};
template <>
struct NameOf<Bare> {
  static std::string Name() { return "Hero"; }
};
template <class C>
requires std::is_same_v<C, Color> || std::is_same_v<C, Inserted> || std::is_same_v<C, Renamed> ||
    std::is_same_v<C, Appended>
struct NameOf<C> {
  static std::string Name() { return "Color"; }
};
}  // namespace revctl

namespace revctl::harness::test {

namespace {

/// Records `Then` at the first revision and `Since` at the second one. Returns the result of a
/// check with `Now`.
template <class Then, class Since, class Now>
CheckResult Judged() {
  const Folder folder;
  Program(1).Type<Then>().Record(folder);
  Program(2).Type<Since>().Record(folder);
  CHECK(Program(2).Type<Since>().Check(folder).findings.empty());
  return Program(2).Type<Now>().Check(folder);
}
template <class C>
CheckResult Ended() {
  return Judged<Hero<Color, When::Always>, Hero<Color, When::Ended>, Hero<C, When::Ended>>();
}
template <class C>
CheckResult Begun() {
  return Judged<Bare, Hero<Color, When::Begun>, Hero<C, When::Begun>>();
}

}  // namespace

TEST_CASE("check: an enum that only old files contain is checked", "[harness][signals][enum]") {
  for (const CheckResult& result : {Ended<Inserted>(), Begun<Inserted>()}) {
    INFO(Text(result));
    const Finding moved = Find(result, "GH001", "Color", "Green");
    CHECK_THAT(moved.details, Catch::Contains("Green = 1") && Catch::Contains("Green = 2"));
    CHECK_THAT(moved.file, Catch::EndsWith("types_of_some_revisions_test.cpp"));
    CHECK(moved.line > 0);
    for (const Finding& other : result.findings) {
      if (findings::NameOf(other.rule) != "GH001")
        CHECK_THAT(FixText(other.fix), Catch::StartsWith("fix the layout first (GH001)"));
    }
  }
  for (const CheckResult& result : {Ended<Renamed>(), Begun<Renamed>()}) {
    INFO(Text(result));
    CHECK_THAT(FixText(Find(result, "GH001", "Color", "Green").fix),
               Catch::Contains("approve --rename"));
  }
}

TEST_CASE("check: a new enumerator is fine if the enum is no longer written",
          "[harness][signals][enum]") {
  const CheckResult ended = Ended<Appended>();
  INFO(Text(ended));
  CHECK(ended.findings.empty());
  // A body visits a REM's local variable for as long as it supports old files. Here, no other field
  // contains the enum.
  using None = std::vector<std::int32_t>;
  const CheckResult local =
      Judged<Before<Color, None>, After<Color, None>, After<Appended, None>>();
  INFO(Text(local));
  CHECK(local.findings.empty());
  const CheckResult moved =
      Judged<Before<Color, None>, After<Color, None>, After<Inserted, None>>();
  CHECK_THAT(Find(moved, "GH001", "Color", "Green").details, Catch::Contains("Green = 2"));
  const CheckResult held =
      Judged<Before<Color, std::vector<Box<Color>>>, After<Color, std::vector<Box<Color>>>,
             After<Appended, std::vector<Box<Appended>>>>();
  CHECK_THAT(Find(held, "GH001", "Color", "Pink").message, Catch::Contains("without a revision"));
  const CheckResult begun = Begun<Appended>();
  CHECK_THAT(Find(begun, "GH001", "Color", "Pink").message, Catch::Contains("without a revision"));
}

}  // namespace revctl::harness::test
