// GH001 must report types whose size depends on the platform.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>

#include "harness/testdata/platform_hero.h"
#include "harness/testing/test_program.h"

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

struct Flat {
  PLAIN(Flat);
  FIELD(std::size_t, count, SR_INITIAL) = 0;
  FIELD(std::int64_t, sized, SR_INITIAL) = 0;
};

struct Body {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Body) {
  ADD(SR_INITIAL, hp);
  REM(SR_INITIAL, SR_FOULS, long, old_score, 0);
  REM(SR_INITIAL, SR_FOULS, std::int64_t, older, static_cast<long>(7));
  REM(SR_INITIAL, SR_FOULS, long long, sized, 0);
}
SERIALIZE_END

using Alias = std::size_t;
typedef unsigned long Typedef;
using Exact = std::int64_t;

/// A type serialized as another type that does not depend on the template argument.
template <class Number>
struct Meters {
  Number value = 0;
};

struct Members {
  std::int64_t exact_a = 0;
  Exact exact_b = 0;
  long long exact_c = 0;
  Meters<long> exact_d;
  std::map<std::string, std::vector<std::uint64_t>> exact_e;
  std::int64_t exact_f = static_cast<long>(1), exact_g = sizeof(long);
#if defined(_WIN32)
  long long exact_h = 0;
#else
  long exact_h = 0;
#endif
  long bad_a = 0;
  std::size_t bad_b = 0, bad_c{0};
  std::vector<long> bad_d;
  std::map<std::string, std::vector<std::size_t>> bad_e;
  Alias bad_f = 0;
  Typedef bad_g = 0;
  long bad_h[2] = {};
  long int bad_i = 0;
  std::ptrdiff_t bad_j = 0;
};
SERIALIZE_TYPE(Members) {
  ADD(SR_INITIAL, exact_a);
  ADD(SR_INITIAL, exact_b);
  ADD(SR_INITIAL, exact_c);
  ADD(SR_INITIAL, exact_d);
  ADD(SR_INITIAL, exact_e);
  ADD(SR_INITIAL, exact_f);
  ADD(SR_INITIAL, exact_g);
  ADD(SR_INITIAL, exact_h);
  ADD(SR_INITIAL, bad_a);
  ADD(SR_INITIAL, bad_b);
  ADD(SR_INITIAL, bad_c);
  ADD(SR_INITIAL, bad_d);
  ADD(SR_INITIAL, bad_e);
  ADD(SR_INITIAL, bad_f);
  ADD(SR_INITIAL, bad_g);
  ADD(SR_INITIAL, bad_h);
  ADD(SR_INITIAL, bad_i);
  ADD(SR_INITIAL, bad_j);
}
SERIALIZE_END

}  // namespace

template <class Number>
struct revctl::WireAs<Meters<Number>> {
  using Type = std::int64_t;
  static Type ToWire(const Meters<Number>& meters) { return meters.value; }
  static bool FromWire(Type wire, Meters<Number>& meters) {
    meters.value = static_cast<Number>(wire);
    return true;
  }
};

namespace platform {
SERIALIZE_TYPE(Hero::Bag) {
  ADD(SR_INITIAL, gold);
  ADD(SR_INITIAL, weight);
}
SERIALIZE_END
SERIALIZE_TYPE(Hero) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, mana);
  ADD(SR_INITIAL, kills);
  ADD(SR_INITIAL, steps);
  ADD(SR_INITIAL, sized);
  ADD(SR_INITIAL, bag);
}
SERIALIZE_END
}  // namespace platform

namespace revctl::harness::test {
namespace {

/// Checks a type whose list has one revision. Returns the fields that GH001 names.
template <class T>
std::set<std::string> PlatformFields() {
  const Folder folder;
  Program(1).Type<T>().Record(folder);
  const CheckResult result = Program(1).Type<T>().Check(folder);
  INFO(Text(result));
  std::set<std::string> fields;
  for (const Finding& finding : result.findings) {
    if (findings::NameOf(finding.rule) != "GH001") continue;
    CHECK_THAT(finding.message, Catch::Contains("has a different size on other platforms"));
    fields.insert(finding.type + "." + finding.field + " in " + SourceLine(finding));
  }
  return fields;
}

}  // namespace

TEST_CASE("check: long and size_t on the wire are GH001", "[harness][signals]") {
  const Folder folder;
  Program(1).Type<Flat>().Type<Body>().Record(folder);
  const CheckResult result = Program(1).Type<Flat>().Type<Body>().Check(folder);
  INFO(Text(result));
  const Finding count = Find(result, "GH001", "Flat", "count"),
                score = Find(result, "GH001", "Body", "old_score");
  CHECK(count.severity == Severity::Warning);
  CHECK_THAT(count.message, Catch::StartsWith("Flat.count: size_t has a different size on other"));
  CHECK_THAT(score.message, Catch::Contains("long has a different size"));
  CHECK_THAT(SourceLine(score), Catch::Contains("long, old_score"));
  CHECK(std::count_if(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
          return findings::NameOf(finding.rule) == "GH001";
        }) == 2);
}

TEST_CASE("check: members of platform types are GH001 at their declaration", "[harness][signals]") {
  std::set<std::string> lines;
  for (const std::string& field : PlatformFields<Members>())
    lines.insert(field.substr(field.rfind('.') + 1, 6));
  CHECK(lines == std::set<std::string>{"bad_a ", "bad_b ", "bad_c ", "bad_d ", "bad_e ", "bad_f ",
                                       "bad_g ", "bad_h ", "bad_i ", "bad_j "});
}

TEST_CASE("check: declarations in an included file are read, too", "[harness][signals]") {
  CHECK(PlatformFields<platform::Hero>() ==
        std::set<std::string>{"platform::Hero::Bag.weight in     long weight = 0;",
                              "platform::Hero.kills in   unsigned long kills = 0;",
                              "platform::Hero.steps in   Steps steps = 0;"});
}

}  // namespace revctl::harness::test
