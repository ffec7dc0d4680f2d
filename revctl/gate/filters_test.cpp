#include <catch2/catch.hpp>

#include "revctl/findings/rule_table.h"
#include "revctl/gate/gate_rules.h"

namespace revctl::commands {
namespace {

using findings::Finding;
using findings::RuleId;

/// Returns the findings that HideFollowUps keeps, in the form `RV001 SR_A, RV023`.
std::string Kept(Findings found) {
  HideFollowUps(found);
  std::string out;
  for (const Finding& one : found) {
    out += (out.empty() ? "" : ", ") + std::string(findings::NameOf(one.rule));
    if (!one.revision.empty()) out += " " + one.revision;
  }
  return out;
}

Finding Of(RuleId rule, const std::string& revision, bool asks = false) {
  return {.rule = rule, .message = "x", .revision = revision, .asks = asks};
}

}  // namespace

TEST_CASE("filters: a finding hides its consequences", "[gate]") {
  using enum RuleId;
  // A handwritten entry hides only the findings about its own number.
  CHECK(Kept({Of(LandsLate, "SR_A"), Of(WrongFold, "SR_A"), Of(LandsLate, "SR_B")}) ==
        "RV030 SR_A, RV006 SR_B");
  // A broken entry hides the lineage findings of all entries after it.
  CHECK(Kept({Of(LandedRemoved, "SR_A"), Of(LandedLineage, "SR_B")}) == "RV003 SR_A");
  CHECK(Kept({Of(LandedLineage, "SR_B")}) == "RV023 SR_B");
  // NumberTwice hides the golden findings of its revision if it asks whether both sides added the
  // same revision, but not if two revisions merely have the same number.
  CHECK(Kept({Of(NumberTwice, "SR_A", true), Of(LandedGolden, "SR_A")}) == "RV001 SR_A");
  CHECK(Kept({Of(NumberTwice, "SR_A"), Of(LandedGolden, "SR_A")}) == "RV001 SR_A, RV019 SR_A");
  // A finding that asks a question is never hidden, and a finding that is itself hidden hides no
  // other findings.
  CHECK(Kept({Of(NumberTwice, "SR_A", true), Of(NotReserved, "SR_A", true)}) ==
        "RV001 SR_A, RV011 SR_A");
  CHECK(Kept({Of(WrongFold, "SR_A"), Of(NumberTwice, "SR_A"), Of(LandedLineage, "SR_C")}) ==
        "RV030 SR_A, RV023 SR_C");
}

}  // namespace revctl::commands
