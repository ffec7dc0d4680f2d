// Tests that malformed approvals are rejected, and that the examples in
// docs/formats/golden-store.md match the program's output.
#include "golden/approval.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <sstream>

#include "golden/payload_pack.h"
#include "golden/revision_record.h"

using revctl::golden::Approval;
using revctl::golden::FormatApproval;
using revctl::golden::ParseApproval;

namespace {

std::vector<Approval> OneOfEachKind() {
  Approval rename, upgrade, enumerator, baseline, condition;
  rename.type = "game::Score";
  rename.from = "p2Score";
  rename.to = "secondScore";
  upgrade.kind = Approval::Kind::Upgrade;
  upgrade.type = "game::Score";
  upgrade.after = "SR_FOULS";
  upgrade.cases = {"SR_INITIAL/auto-1", "SR_INITIAL/two words"};
  upgrade.changes = {
      {"p1Score", "1", "2"}, {"gone", "\"x\\n\"", std::nullopt}, {"came", std::nullopt, "true"}};
  enumerator.kind = Approval::Kind::Enumerator;
  enumerator.type = "Color";
  enumerator.to = "Pink";
  enumerator.value = -3;
  baseline.kind = Approval::Kind::Baseline;
  baseline.places = {"game::Score: older than SR_FOULS", "game::Score.players: condition"};
  condition.kind = Approval::Kind::Condition;
  condition.type = "game::Score";
  condition.field = "players";
  condition.from = "d.p1Score >= 0 && d.team != \"none\"";
  condition.to = "d.HasPlayers()";
  std::vector<Approval> all = {rename, upgrade, enumerator, baseline, condition};
  for (Approval& approval : all) approval.reason = "a \"reason\", in two\nlines";
  return all;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

std::string OnPage(const std::string& begin) {
  std::ostringstream page;
  page << std::ifstream(GOLDEN_FORMAT_PAGE).rdbuf();
  const std::string text = page.str();
  const auto from = text.find("```yaml\n" + begin);
  REQUIRE(from != std::string::npos);
  return text.substr(from + 8, text.find("```\n", from + 8) - from - 8);
}

}  // namespace

TEST_CASE("approval: each kind round-trips through text", "[golden][approval]") {
  for (const Approval& approval : OneOfEachKind()) {
    const auto back = ParseApproval(FormatApproval(approval), "f");
    INFO(FormatApproval(approval));
    REQUIRE(back.ok());
    CHECK(*back == approval);
  }
}

TEST_CASE("approval: errors name file and line", "[golden][approval]") {
  const auto all = OneOfEachKind();
  const std::string rename = FormatApproval(all[0]), upgrade = FormatApproval(all[1]),
                    enumerator = FormatApproval(all[2]), baseline = FormatApproval(all[3]);
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {Replaced(rename, "version: 1", "version: 2"), "version 2"},
           {Replaced(rename, "approved: rename", "approved: all"), "unknown approval kind: `all`"},
           {Replaced(rename, "to: secondScore\n", ""), "`to` is missing"},
           {Replaced(rename, "to: secondScore", "to: \"\""), "`to` is empty"},
           {Replaced(rename, "from: p2Score", "from: [a, b]"), "expected one value"},
           {Replaced(rename, "from:", "place: x\nfrom:"), "unknown key `place`"},
           {Replaced(rename, "from: p2Score", "from: a\nfrom: b"), "from"},
           {Replaced(rename, "reason: \"a \\\"reason\\\", in two\\nlines\"", "reason: \"\""),
            "`reason` is empty"},
           {Replaced(upgrade, "after: SR_FOULS", "after: \"\""), "`after` is empty"},
           {Replaced(enumerator, "value: -3", "value: 99999999999999999999"), "is not a number"},
           {Replaced(enumerator, "value: -3", "value: 3x"), "is not a number"},
           {Replaced(baseline,
                     "places:\n  - \"game::Score: older than SR_FOULS\"\n  - "
                     "\"game::Score.players: condition\"",
                     "places: []"),
            "`places` is empty"},
           {"- a\n- b\n", "expected `key: value` entries"},
           {"", ""},
           {"<<<<<<< ours\nversion: 1\n", ""}}) {
    const auto parsed = ParseApproval(text, "approved/x.yaml");
    INFO(text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().file == "approved/x.yaml");
    CHECK(parsed.error().line <= 12);
    CHECK_THAT(parsed.error().message, Catch::Contains(part));
    CHECK(parsed.error().fix.starts_with("update revctl") == (part == "version 2"));
  }
}

TEST_CASE("approval: truncated or damaged input never crashes", "[golden][approval]") {
  std::mt19937 random(7);
  for (const Approval& approval : OneOfEachKind()) {
    const std::string text = FormatApproval(approval);
    // Cut off at least one more byte than the final newline, which is optional.
    for (std::size_t cut = 0; cut + 1 < text.size(); ++cut) {
      INFO(text.substr(0, cut));
      CHECK_FALSE(ParseApproval(text.substr(0, cut), "f").ok());
    }
    for (int i = 0; i < 3000; ++i) {
      std::string damaged = text;
      for (auto k = 1 + random() % 3; k > 0; --k)
        damaged[random() % damaged.size()] = static_cast<char>(random());
      const auto parsed = ParseApproval(damaged, "f");
      // If a damaged text still parses, the approval must have a reason and must round-trip.
      if (parsed.ok()) {
        CHECK_FALSE(parsed->reason.empty());
        const std::string anew = FormatApproval(*parsed);
        INFO(damaged << "\n" << anew);
        const auto again = ParseApproval(anew, "f");
        REQUIRE(again.ok());
        CHECK(FormatApproval(*again) == anew);
      }
    }
  }
}

TEST_CASE("page: the record in golden-store.md is what the program writes", "[golden][record]") {
  const std::string text = OnPage("# A golden record");
  const auto record = revctl::golden::ParseRecord(text, "SR_FOULS.yaml");
  if (!record.ok()) FAIL(record.error().line << ": " << record.error().message);
  CHECK(revctl::golden::FormatRecord(*record) == text);
  REQUIRE(record->cases.size() == 1);
  // The last bytes of the hex dump in golden-store.md.
  const unsigned char payload[] = {7, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0};
  CHECK(record->cases[0].hash == revctl::golden::PayloadHash(std::as_bytes(std::span(payload))));
  CHECK(record->cases[0].size == sizeof payload);
}

TEST_CASE("page: the approval in golden-store.md is what the program writes",
          "[golden][approval]") {
  const std::string text = OnPage("version: 1\napproved: rename\n");
  const auto approval = ParseApproval(text, "f");
  if (!approval.ok()) FAIL(approval.error().line << ": " << approval.error().message);
  CHECK(FormatApproval(*approval) == text);
}
