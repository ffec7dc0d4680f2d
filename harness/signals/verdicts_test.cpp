#include "harness/signals/verdicts.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace revctl::harness::test {
namespace {

/// Adds the same finding once for each of `revisions`, and returns the message of the finding into
/// which they are folded.
std::string Folded(const std::string& message, const std::vector<std::string>& mentioned,
                   const std::vector<std::string>& revisions) {
  Verdicts verdicts;
  for (const std::string& revision : revisions)
    verdicts.Add({.rule = RuleId::Layout,
                  .message = message,
                  .revision = revision,
                  .type = "Hero",
                  .field = "hp"},
                 "cause", mentioned);
  const auto all = verdicts.TakeSorted();
  REQUIRE(all.size() == 1);
  return all[0].finding.message;
}

}  // namespace

TEST_CASE("verdicts: a message names its revisions once", "[harness][signals][verdicts]") {
  CHECK(Folded("Hero.hp: removed", {}, {"SR_A"}) == "Hero.hp: removed (at SR_A)");
  CHECK(Folded("Hero.hp: removed", {}, {"SR_A", "SR_B", "SR_C"}) ==
        "Hero.hp: removed (at 3 revisions, SR_A to SR_C)");
  CHECK(Folded("files of SR_A fail", {"SR_A"}, {"SR_A"}) == "files of SR_A fail");
  CHECK(Folded("files of SR_A fail", {"SR_A"}, {"SR_A", "SR_B"}) ==
        "files of SR_A fail (at SR_A and SR_B)");
  // The message is not searched for names: SR_AB contains SR_A, but `mentioned` does not.
  CHECK(Folded("since SR_AB", {"SR_AB"}, {"SR_A"}) == "since SR_AB (at SR_A)");
  CHECK(Folded("SR_A", {}, {"SR_A"}) == "SR_A (at SR_A)");
}

}  // namespace revctl::harness::test
