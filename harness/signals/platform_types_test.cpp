// GH001 about types whose size depends on the platform.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>

#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>

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

}  // namespace

namespace revctl::harness::test {

TEST_CASE("check: long and size_t on the wire are GH001", "[harness][signals]") {
  const Folder folder;
  Program(1).Type<Flat>().Type<Body>().Record(folder);
  const CheckResult result = Program(1).Type<Flat>().Type<Body>().Check(folder);
  INFO(Text(result));
  const Finding count = Find(result, "GH001", "Flat", "count"),
                score = Find(result, "GH001", "Body", "old_score");
  CHECK(count.severity == Severity::Warning);
  CHECK_THAT(count.message, Catch::StartsWith("Flat.count: size_t has another size on other"));
  CHECK_THAT(score.message, Catch::Contains("long has another size"));
  CHECK_THAT(SourceLine(score), Catch::Contains("long, old_score"));
  CHECK(std::count_if(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
          return findings::NameOf(finding.rule) == "GH001";
        }) == 2);
}

}  // namespace revctl::harness::test
