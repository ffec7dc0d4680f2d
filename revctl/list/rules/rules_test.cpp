#include "revctl/list/rules/rules.h"

#include <algorithm>

#include "revctl/findings/rule_table.h"
#include "revctl/list/testing/test_lists.h"

namespace revctl::list {
namespace {

using testing::Parsed;

/// A change to check: the target's list, the merged list, and the ledger.
struct Change {
  std::string target = {}, merged = {};
  ListConfig config = {};
  std::vector<Reservation> reserved = {};
  std::int64_t high_water = 0;
  bool required = false, ledger = true;
  std::vector<std::string> provisional = {};
};

std::string File(std::string_view entries) {
  return "enum Revision {\n" + std::string(entries) + "};\n";
}

std::vector<findings::Finding> CheckChange(const Change& change) {
  const RevisionList merged = Parsed(File(change.merged), change.config);
  RevisionList target;
  CheckedLists lists;
  if (!change.target.empty()) {
    target = Parsed(File(change.target), change.config);
    lists.target = &target;
  }
  lists.merged = &merged;
  if (change.ledger) lists.reservations = change.reserved;
  lists.high_water = change.high_water;
  lists.reservation_required = change.required;
  lists.provisional = change.provisional;
  return CheckRules(lists, change.config);
}

/// Returns `RV001@3 SR_X` for each finding, and checks that each finding is complete.
std::string Rules(const Change& change) {
  std::string out;
  for (const findings::Finding& finding : CheckChange(change)) {
    CHECK(finding.file == "list.h");
    CHECK(finding.line > 0);
    CHECK_FALSE(finding.message.empty());
    CHECK_FALSE(finding.fix.empty());
    CHECK(finding.rule != findings::RuleId::None);
    out += (out.empty() ? "" : ", ") + std::string(findings::NameOf(finding.rule)) + "@" +
           std::to_string(finding.line) + " " + finding.revision;
  }
  return out;
}

std::string Message(const Change& change) {
  const auto found = CheckChange(change);
  return found.empty() ? "" : found[0].message + " | " + FixText(found[0].fix);
}

}  // namespace

TEST_CASE("rules: a valid change has no findings", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\n",
               .merged = "SR_A = 1, // better\nSR_B = 2,\n",
               .reserved = {{"SR_B", 2, "ann"}},
               .high_water = 2,
               .required = true})
            .empty());
  CHECK(Rules({.target = "", .merged = "SR_A = 1,\nSR_B = 2,\n", .ledger = false}).empty());
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\n"}).empty());
}

TEST_CASE("RV001: a duplicate number", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 2,\n"}) == "RV001@4 SR_C");
  CHECK(Message(
            {.target = "SR_A = 1,\nSR_B = 2,\n", .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 2,\n"}) ==
        "SR_C takes 2, which SR_B (2, line 3 on origin/main) already has | revctl fix");
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 2,\n"}) ==
        "RV001@4 SR_C");
  // Landed revisions may have the same number, because they cannot change. A plain alias is always
  // allowed.
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 1,\n",
               .merged = "SR_A = 1,\nSR_B = 1,\nSR_REL = SR_B,\n"})
            .empty());
}

TEST_CASE("RV003, RV004: landed aliases must not change", "[list][rules]") {
  const std::string target = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\nSR_REL = SR_B,\n";
  CHECK(Rules({.target = target, .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\nSR_REL = SR_C,\n"}) ==
        "RV004@5 SR_REL");
  CHECK(
      Message({.target = target, .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\nSR_REL = SR_C,\n"}) ==
      "SR_REL (2, line 5 on origin/main) has landed as an alias of SR_B, but is SR_C (3) here | "
      "revctl fix");
  CHECK(Rules({.target = target, .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\n"}) ==
        "RV003@1 SR_REL");
  CHECK(Message({.target = target, .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\n"}) ==
        "SR_REL (2, line 5 on origin/main) has landed as an alias of SR_B, but is missing here | "
        "revctl fix");
  // An alias may be spelled differently as long as its number is the same. A declared alias with a
  // literal number must keep that number.
  ListConfig config;
  config.aliases = {"SR_REL"};
  CHECK(Rules({.target = target,
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\nSR_REL = 2,\n",
               .config = config})
            .empty());
  CHECK(Rules({.target = "SR_A = 1,\nSR_REL = 1,\nSR_B = 2,\n",
               .merged = "SR_A = 1,\nSR_REL = 2,\nSR_B = 2,\n",
               .config = config}) == "RV004@3 SR_REL");
  // The numbers of these names may change: `current`, `oldest`, counts, and names that people keep
  // equal to the latest number.
  config.current = "SR_NOW";
  config.oldest = "SR_REL";
  CHECK(Rules({.target = target + "SR_NOW = SR_C,\nSR_MINIMAL = SR_A,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\nSR_REL = SR_C,\nSR_D = 4,\nSR_NOW = "
                         "SR_D,\nSR_MINIMAL = SR_B,\n",
               .config = config,
               .reserved = {{"SR_D", 4, ""}},
               .high_water = 4})
            .empty());
  CHECK(Rules({.target = "SR_A = 1,\nSR_COUNT,\nSR_LAST = SR_COUNT - 1,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_COUNT,\nSR_LAST = SR_COUNT - 1,\n",
               .reserved = {{"SR_B", 2, ""}},
               .high_water = 2})
            .empty());
  CHECK(Rules({.target = "SR_A = 1,\nVERSION = 1,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nVERSION = 2,\n",
               .reserved = {{"SR_B", 2, ""}},
               .high_water = 2})
            .empty());
  // A purge of revisions may also remove their aliases.
  ListConfig purged;
  purged.oldest = "SR_C";
  CHECK(Rules({.target = target, .merged = "SR_C = 3,\n", .config = purged}).empty());
}

TEST_CASE("RV001: an entry after an alias silently takes a used number", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\nSR_B,\nSR_C,\nREL = SR_A,\n",
               .merged = "SR_A = 1,\nSR_B,\nSR_C,\nREL = SR_A,\nSR_D,\n"}) == "RV001@6 SR_D");
}

TEST_CASE("RV002: a duplicate name", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nSR_B = 2,\nSR_B = 3,\n"})
            .find("RV002@4 SR_B") == 0);
}

TEST_CASE("RV002: a purged revision comes back, with any number", "[list][rules]") {
  ListConfig config;
  config.purged = {"SR_A"};
  CHECK(Rules({.target = "SR_B = 2,\n", .merged = "SR_A = 1,\nSR_B = 2,\n", .config = config}) ==
        "RV002@2 SR_A");
  CHECK(Rules({.target = "SR_B = 2,\n", .merged = "SR_B = 2,\nSR_A = 3,\n", .config = config}) ==
        "RV002@3 SR_A");
  CHECK(Message({.target = "SR_B = 2,\n", .merged = "SR_A = 1,\nSR_B = 2,\n", .config = config})
            .ends_with(", so choose another name for a new revision | revctl fix"));
  // An alias with the purged name does not bring the revision back. A purge that has not landed
  // does not affect the target.
  CHECK(Rules({.target = "SR_B = 2,\n", .merged = "SR_B = 2,\nSR_A = SR_B,\n", .config = config})
            .empty());
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\n",
               .config = config})
            .empty());
}

TEST_CASE("RV003, RV005: removed and renamed revisions, but not purged ones", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n", .merged = "SR_A = 1,\n"}) == "RV003@1 SR_B");
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n", .merged = "SR_A = 1,\nSR_NEW = 2,\n"}) ==
        "RV005@3 SR_B");
  // A reserved revision is new, so SR_B was removed and not renamed.
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n",
               .merged = "SR_A = 1,\nSR_NEW = 2,\n",
               .reserved = {{"SR_NEW", 2, "ann"}},
               .high_water = 2}) == "RV003@3 SR_B");
  // Even if the number differs, the position shows that SR_B was renamed.
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\n",
               .merged = "SR_A = 1,\nSR_NEW = 7,\nSR_C = 3,\n"}) == "RV005@3 SR_B");
  const auto found =
      CheckChange({.target = "SR_A = 1,\nSR_B = 2,\n", .merged = "SR_A = 1,\nSR_NEW = 2,\n"});
  REQUIRE(found.size() == 1);
  CHECK(found[0].asks);
  CHECK(FixText(found[0].fix).starts_with("if SR_NEW is a new name for SR_B: "));
  ListConfig config;
  config.oldest = "SR_B";
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n", .merged = "SR_B = 2,\n", .config = config})
            .empty());
}

TEST_CASE("RV004: a shift of numbers is one finding with its cause", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n", .merged = "SR_A = 1,\nSR_B = 3,\n"}) ==
        "RV004@3 SR_B");
  const Change shift{.target = "SR_A,\nSR_B,\nSR_C,\nSR_D,\n",
                     .merged = "SR_A,\nSR_X,\nSR_B,\nSR_C,\nSR_D,\n"};
  CHECK(Message({shift}).find(
            "SR_X takes 1, which SR_B (1, line 3 on origin/main) already has | revctl fix") == 0);
  const auto found = CheckChange(shift);
  REQUIRE(found.size() == 2);
  CHECK(found[1].message ==
        "SR_B (1, line 3 on origin/main) has landed, but is 2 here, shifted by SR_X above it "
        "(list.h:3); the same applies to 2 more revisions after it");
  CHECK(FixText(found[1].fix) == "revctl fix");
}

TEST_CASE("RV006: a pending number below a landed one", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\nSR_C = 3,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\n",
               .reserved = {{"SR_B", 2, "ann"}},
               .high_water = 3}) == "RV006@3 SR_B");
}

TEST_CASE("RV007: order in the file", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n",
               .merged = "SR_A = 1,\nSR_X = 3,\nSR_B = 2,\n"}) == "RV007@3 SR_X");
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\nSR_C = 3,\n",
               .merged = "SR_B = 2,\nSR_A = 1,\nSR_C = 3,\n"}) == "RV007@3 SR_A");
  // Landed revisions may be out of order if the target has the same order.
  CHECK(Rules({.target = "SR_B = 2,\nSR_A = 1,\nSR_C = 3,\nSR_D = 4,\n",
               .merged = "SR_B = 2,\nSR_A = 1,\nSR_C = 3,\nSR_D = 4,\nSR_E = 5,\n"})
            .empty());
  CHECK(Rules({.target = "SR_B = 2,\nSR_A = 1,\n", .merged = "SR_C = 3,\nSR_B = 2,\nSR_A = 1,\n"})
            .empty());
  CHECK(Rules({.target = "SR_C = 3,\nSR_B = 2,\nSR_A = 1,\n",
               .merged = "SR_C = 3,\nSR_B = 2,\nSR_A = 1,\nSR_D = 4,\n"}) == "RV007@5 SR_D");
}

TEST_CASE("RV008: CURRENT", "[list][rules]") {
  ListConfig config;
  config.current = "NOW";
  CHECK(Rules({.target = "SR_A = 1,\nNOW = SR_A,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nNOW = SR_A,\n",
               .config = config}) == "RV008@4 NOW");
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\n", .config = config}) ==
        "RV008@1 NOW");
  CHECK(Rules({.target = "SR_A = 1,\nSR_LATEST = SR_A,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_LATEST = SR_A,\n"}) == "RV008@4 SR_LATEST");
}

TEST_CASE("RV009: a typo in the prefix", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nSE_B = 2,\n"}) == "RV009@3 SE_B");
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nsr_B,\nNUM_ALL,\n"}).empty() ==
        false);
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nMAX,\nOTHER = SR_A,\n"}).empty());
  ListConfig config;
  config.aliases = {"SE_*"};
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nSE_B = 2,\n", .config = config})
            .empty());
}

TEST_CASE("RV010: numbers in comments", "[list][rules]") {
  CHECK(Rules({.target = "SR_A = 1, // 1 a\nSR_B = 2, // 2 b\n",
               .merged = "SR_A = 1, // 1 a\nSR_B = 2, // 2 b\nSR_C = 4, // 3 c\n"}) ==
        "RV010@4 SR_C");
  CHECK(Rules({.target = "SR_A = 1,\nSR_B = 2,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_C = 3, // 64 players\n"})
            .empty());
  CHECK(CheckChange({.target = "SR_A = 1, // 1\nSR_B = 2, // 2\n",
                     .merged = "SR_A = 1, // 1\nSR_B = 2, // 2\nSR_C = 4, // 3\n"})[0]
            .severity == findings::Severity::Warning);
  // In a new entry, an outdated number is reported anywhere in the comments, even if other entries
  // have no numbers in their comments. It is not reported if the comments also contain the entry's
  // own number.
  CHECK(Rules({.target = "SR_A = 1,\n",
               .merged = "SR_A = 1,\nSR_B = 668, // ae: since 667, ties count\n"}) ==
        "RV010@3 SR_B");
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\n// 667: ties\nSR_B = 668,\n"}) ==
        "RV010@4 SR_B");
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\nSR_B = 668, // 668, was 667\n"})
            .empty());
  CHECK(
      Rules({.target = "SR_A = 660,\n", .merged = "SR_A = 660,\nSR_B = 668, // fixes SR_A (660)\n"})
          .empty());
  CHECK(Rules({.target = "SR_A = 1,\n",
               .merged = "SR_A = 1,\nSR_B = 2001, // 2026-11-20, see #1998, 2000.5 and v2002\n"})
            .empty());
}

TEST_CASE("RV011, RV012: the ledger", "[list][rules]") {
  const std::string target = "SR_A = 1,\n", merged = "SR_A = 1,\nSR_B = 5,\n";
  CHECK(Rules({.target = target, .merged = merged, .required = true}) == "RV011@3 SR_B");
  CHECK(Rules({.target = target, .merged = merged, .required = true, .ledger = false}) ==
        "RV011@3 SR_B");
  CHECK(Rules({.target = target, .merged = merged, .required = false}).empty());
  CHECK(Rules({.target = target, .merged = merged, .high_water = 6, .required = false}) ==
        "RV011@3 SR_B");
  CHECK(Message({.target = target,
                 .merged = merged,
                 .reserved = {{"SR_X", 5, "Ann <ann@example.org>"}},
                 .high_water = 5}) ==
        "SR_B takes 5, which is reserved for SR_X by Ann <ann@example.org> | revctl fix");
  CHECK(Rules({.target = target,
               .merged = merged,
               .reserved = {{"SR_B", 4, "ann"}},
               .high_water = 4,
               .required = true}) == "RV012@3 SR_B");
  CHECK(Rules({.target = target, .merged = merged, .provisional = {"SR_B"}}) == "RV012@3 SR_B");
}

TEST_CASE("RV013: sentinel", "[list][rules]") {
  ListConfig config;
  config.sentinel = "SR_END";
  CHECK(Rules({.target = "SR_A = 1,\nSR_END,\n",
               .merged = "SR_A = 1,\nSR_END,\nSR_B = 3,\n",
               .config = config}) == "RV013@3 SR_END");
  CHECK(Rules({.target = "SR_A = 1,\nSR_END = 2,\n",
               .merged = "SR_A = 1,\nSR_B = 2,\nSR_END = 2,\n",
               .config = config}) == "RV013@4 SR_END");
  CHECK(Rules({.target = "SR_A = 1,\n", .merged = "SR_A = 1,\n", .config = config}) ==
        "RV013@1 SR_END");
}

TEST_CASE("RV014: the enum's type", "[list][rules]") {
  const RevisionList list = Parsed("enum R : signed char {\nSR_A = 127,\nSR_B,\nSR_C = -129 };");
  CheckedLists lists;
  lists.merged = &list;
  lists.reservation_required = false;
  const auto found = CheckRules(lists, {});
  CHECK(std::count_if(found.begin(), found.end(), [](const auto& finding) {
          return findings::NameOf(finding.rule) == "RV014";
        }) == 2);
}

}  // namespace revctl::list
