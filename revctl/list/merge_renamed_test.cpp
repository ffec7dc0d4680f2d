// A side has another name on the number of a landed revision: a new name for it, or a revision of
// its own.
#include "revctl/list/line_merge_test.h"
#include "revctl/list/merge.h"
#include "revctl/list/test_lists.h"

namespace revctl::list {
namespace {

std::string File(std::string_view entries) {
  return "enum Revision {\n" + std::string(entries) + "};\n";
}

struct Given {
  std::string base, ours, theirs;
  std::optional<Origin> origin = {};  ///< what the sides' commits say; nullopt: git cannot be asked
  std::string reserved = {};          ///< holds 2 in the ledger
};

MergeOutput MergeOnce(const Given& given) {
  MergeContext context;
  context.landed_known = true;
  context.landed_text = File(given.theirs);
  context.text_merge = testing::LineMerge;
  if (!given.reserved.empty()) context.reservations = {{given.reserved, 2}};
  context.ledger_known = !given.reserved.empty();
  context.high_water = context.ledger_known ? 2 : 0;
  if (given.origin) {
    context.origin = [&given](std::string_view side, const std::string&, const std::string&) {
      CHECK(side == File(given.ours));
      return *given.origin;
    };
  }
  const std::string base = File(given.base), ours = File(given.ours), theirs = File(given.theirs);
  const auto merged =
      Merge({.base = base, .ours = ours, .theirs = theirs, .path = "list.h"}, context, {});
  if (!merged) FAIL(merged.error().message);
  return *merged;
}

/// `theirs` is the target. The merged entries; "conflict" and the text where there is one.
std::string Merged(const Given& given) {
  const MergeOutput merged = MergeOnce(given);
  return (merged.conflict ? "conflict " : "") + merged.text;
}

/// A branch that took 3 for itself before SR_CAVE landed; the base is newer, as in a cherry-pick of
/// what landed behind it.
const Given kPicked{
    .base = "  SR_A = 1,\n  SR_B = 2,\n  SR_CAVE = 3, // caves\n",
    .ours = "  SR_A = 1,\n  SR_B = 2,\n  SR_BOSS = 3, // boss\n",
    .theirs = "  SR_A = 1,\n  SR_B = 2,\n  SR_CAVE = 3, // caves\n  SR_DOOR = 4,\n"};

}  // namespace

TEST_CASE("merge: a landed name stays, a side's new one is an alias", "[list][merge]") {
  const Given given{.base = "  SR_A = 1,\n  SR_B = 2, // b\n  SR_C = 3,\n",
                    .ours = "  SR_A = 1,\n  SR_NEW_B = 2, // b\n  SR_C = 3,\n",
                    .theirs = "  SR_A = 1, // a\n  SR_B = 2, // b\n  SR_C = 3,\n  SR_T = 4,\n"};
  // The line is the same but for its name, and what landed behind it is there.
  const MergeOutput merged = MergeOnce(given);
  CHECK(merged.text ==
        File("  SR_A = 1, // a\n  SR_B = 2, // b\n  SR_NEW_B = SR_B,\n  SR_C = 3,\n  SR_T = 4,\n"));
  REQUIRE(merged.messages.size() == 1);
  CHECK(merged.messages[0].starts_with(
      "list.h: SR_B has landed, so it keeps its name. SR_NEW_B, as "
      "one side calls it, becomes another name for it. If it is a "));
  // Implicit lists count on from it. Here only the commits can tell.
  CHECK(Merged({.base = "  SR_A,\n  SR_B,\n  SR_C,\n",
                .ours = "  SR_A,\n  SR_NEW_B, // better\n  SR_C,\n",
                .theirs = "  SR_A,\n  SR_B,\n  SR_C,\n  SR_T,\n",
                .origin = Origin::Renamed}) ==
        File("  SR_A,\n  SR_B,\n  SR_NEW_B = SR_B, // better\n  SR_C,\n  SR_T,\n"));
  // What names the new name goes with it.
  CHECK(Merged({.base = "  SR_A = 1,\n  SR_B = 2,\n",
                .ours = "  SR_A = 1,\n  SR_NEW_B = 2,\n  SR_REL = SR_NEW_B,\n",
                .theirs = "  SR_A = 1, // a\n  SR_B = 2,\n",
                .origin = Origin::Renamed}) ==
        File("  SR_A = 1, // a\n  SR_B = 2,\n  SR_NEW_B = SR_B,\n  SR_REL = SR_NEW_B,\n"));
  // What stands where a whole run is gone is another line's.
  CHECK(Merged({.base = "  SR_A,\n  SR_B,\n  SR_C,\n",
                .ours = "  SR_A,\n  SR_O,\n",
                .theirs = "  SR_A,\n  SR_B,\n  SR_C,\n  SR_T,\n"}) ==
        File("  SR_A,\n  SR_B,\n  SR_C,\n  SR_T,\n  SR_O,\n"));
}

TEST_CASE("merge: a pending revision on a landed number follows", "[list][merge]") {
  Given picked = kPicked;
  picked.origin = Origin::Own;
  CHECK(Merged(picked) == File("  SR_A = 1,\n  SR_B = 2,\n  SR_CAVE = 3, // caves\n  SR_DOOR = "
                               "4,\n  SR_BOSS = 5, // boss\n"));
  // The ledger knows it.
  CHECK(Merged({.base = "  SR_A = 1,\n  SR_B = 2,\n",
                .ours = "  SR_A = 1,\n  SR_O = 2,\n",
                .theirs = "  SR_A = 1,\n  SR_B = 2, // b\n",
                .reserved = "SR_O"}) == File("  SR_A = 1,\n  SR_B = 2, // b\n  SR_O = 3,\n"));
}

TEST_CASE("merge: a name that may be new or an alias is a conflict", "[list][merge]") {
  const std::string expected =
      "conflict " + File(
                        "  SR_A = 1,\n  SR_B = 2,\n<<<<<<< ours\n  SR_BOSS = 3, // boss\n=======\n "
                        " SR_CAVE = 3, // caves\n>>>>>>> theirs\n  SR_DOOR = 4,\n");
  CHECK(Merged(kPicked) == expected);
  Given unknown = kPicked;
  unknown.origin = Origin::Unknown;
  CHECK(Merged(unknown) == expected);
  const MergeOutput merged = MergeOnce(kPicked);
  REQUIRE(merged.messages.size() == 1);
  CHECK(merged.messages[0] ==
        "list.h: conflict: SR_CAVE has landed as 3, and one side has SR_BOSS on that number "
        "instead. Keep SR_CAVE. If SR_BOSS is a revision of its own, put it "
        "last, with the next number, and run `revctl renumber`. If it is only a new name, "
        "write SR_BOSS = SR_CAVE");
  // The same comment alone, or a revision that landed later alone, prove nothing.
  CHECK(Merged({.base = "  SR_A = 1,\n  SR_B = 2, // ann\n",
                .ours = "  SR_A = 1,\n  SR_O = 2, // ann\n",
                .theirs = "  SR_A = 1,\n  SR_B = 2, // ann\n  SR_T = 3,\n"})
            .starts_with("conflict "));
  CHECK(Merged({.base = "  SR_A = 1,\n  SR_B = 2,\n  SR_C = 3,\n",
                .ours = "  SR_A = 1,\n  SR_O = 2,\n  SR_C = 3,\n",
                .theirs = "  SR_A = 1,\n  SR_B = 2,\n  SR_C = 3,\n  SR_T = 4,\n"})
            .starts_with("conflict "));
  // Its own names stand between the markers with it.
  CHECK(Merged({.base = "  SR_A = 1,\n  SR_B = 2,\n",
                .ours = "  SR_A = 1,\n  SR_O = 2,\n  SR_REL = SR_O,\n",
                .theirs = "  SR_A = 1,\n  SR_B = 2,\n  SR_T = 3,\n"}) ==
        "conflict " + File("  SR_A = 1,\n<<<<<<< ours\n  SR_O = 2,\n  SR_REL = SR_O,\n=======\n  "
                           "SR_B = 2,\n>>>>>>> theirs\n  SR_T = 3,\n"));
}

TEST_CASE("merge: renamed here and changed there is one revision", "[list][merge]") {
  Given given{.base = "  SR_A = 1,\n  SR_R = 2, // r\n",
              .ours = "  SR_A = 1,\n  SR_RR = 2, // r\n",
              .theirs = "  SR_A = 1,\n  SR_R = 5, // r\n"};
  MergeContext context;
  context.landed_known = true;
  context.landed_text = File("  SR_A = 1,\n");
  context.text_merge = testing::LineMerge;
  const std::string base = File(given.base);
  const auto merge = [&](const std::string& ours, const std::string& theirs) {
    const auto merged =
        Merge({.base = base, .ours = ours, .theirs = theirs, .path = "list.h"}, context, {});
    if (!merged) FAIL(merged.error().message);
    CHECK_FALSE(merged->conflict);
    REQUIRE(merged->messages.size() >= 1);
    CHECK(merged->messages[0].find("SR_R is called SR_RR on one side") != std::string::npos);
    return merged->text;
  };
  CHECK(merge(File(given.ours), File(given.theirs)) == File("  SR_A = 1,\n  SR_RR = 5, // r\n"));
  CHECK(merge(File(given.theirs), File(given.ours)) == File("  SR_A = 1,\n  SR_RR = 5, // r\n"));
  // Its comment changed on the other side.
  CHECK(merge(File(given.ours), File("  SR_A = 1,\n  SR_R = 2, // r is fine\n")) ==
        File("  SR_A = 1,\n  SR_RR = 2, // r is fine\n"));
  // The old number is in the ledger for the old name: the new name cannot have it.
  context.ledger_known = true;
  context.high_water = 5;
  context.reservations = {{"SR_R", 5}};
  CHECK(merge(File(given.ours), File(given.theirs)) == File("  SR_A = 1,\n  SR_RR = 6, // r\n"));
}

}  // namespace revctl::list
