#include "revctl/list/merging/merge.h"

#include <algorithm>

#include "revctl/list/merging/line_merge_test.h"
#include "revctl/list/testing/test_lists.h"

namespace revctl::list {
namespace {

using testing::LineMerge;
using testing::Summary;

struct Given {
  std::string base = {}, ours = {}, theirs = {};
  std::string landed = {};  ///< the target's list; if empty, the target has the base's list
  std::vector<std::pair<std::string, std::int64_t>> reservations = {};
  std::int64_t high_water = 0;
  decltype(MergeContext::knew_landed) knew_landed = {};
};

std::string File(std::string_view entries) {
  return "enum Revision {\n" + std::string(entries) + "};\n";
}

MergeContext ContextOf(const Given& given) {
  MergeContext context;
  context.landed_known = true;
  context.landed_text = given.landed.empty() ? given.base : given.landed;
  context.reservations = given.reservations;
  context.high_water = given.high_water;
  context.ledger_known = given.high_water != 0;
  context.text_merge = LineMerge;
  context.knew_landed = given.knew_landed;
  return context;
}

MergeOutput MergeOnce(const Given& given, const ListConfig& config) {
  MergeInput input;
  input.base = given.base;
  input.ours = given.ours;
  input.theirs = given.theirs;
  input.path = "list.h";
  const auto merged = Merge(input, ContextOf(given), config);
  if (!merged) FAIL(ErrorText(merged.error()));
  return *merged;
}

/// Merges in both directions and expects the same text, except for the order of the sides in
/// conflicts.
MergeOutput MergeBoth(const Given& given, const ListConfig& config = {}) {
  const MergeOutput merged = MergeOnce(given, config);
  Given swapped = given;
  std::swap(swapped.ours, swapped.theirs);
  const MergeOutput other = MergeOnce(swapped, config);
  CHECK(merged.conflict == other.conflict);
  if (!merged.conflict) CHECK(merged.text == other.text);
  return merged;
}

std::string Clean(const Given& given, const ListConfig& config = {}) {
  const MergeOutput merged = MergeBoth(given, config);
  CHECK_FALSE(merged.conflict);
  return merged.text;
}

}  // namespace

TEST_CASE("merge: a number on main stays, and the other revision gets the next one",
          "[list][merge]") {
  CHECK(Clean({.base = File("  SR_A = 665,\n"),
               .ours = File("  SR_A = 665,\n  SR_MINE = 666, // mine\n"),
               .theirs = File("  SR_A = 665,\n  SR_THEIRS = 666, // theirs\n"),
               .landed = File("  SR_A = 665,\n  SR_THEIRS = 666, // theirs\n")}) ==
        File("  SR_A = 665,\n  SR_THEIRS = 666, // theirs\n  SR_MINE = 667, // mine\n"));
}

TEST_CASE("merge: pending revisions with equal numbers are ordered by name", "[list][merge]") {
  const Given given{.base = File("  SR_A = 1,\n"),
                    .ours = File("  SR_A = 1,\n  SR_Q = 2,\n"),
                    .theirs = File("  SR_A = 1,\n  SR_P = 2,\n")};
  CHECK(Clean(given) == File("  SR_A = 1,\n  SR_P = 2,\n  SR_Q = 3,\n"));
  Given with_ledger = given;
  with_ledger.high_water = 9;
  CHECK(Clean(with_ledger) == File("  SR_A = 1,\n  SR_P = 10,\n  SR_Q = 11,\n"));
}

TEST_CASE("merge: reserved revisions stay in ledger order", "[list][merge]") {
  Given given{.base = File("  SR_A = 1,\n"),
              .ours = File("  SR_A = 1,\n  SR_Q = 3, // q\n"),
              .theirs = File("  SR_A = 1,\n  SR_P = 2, // p\n  SR_R = 4,\n")};
  given.reservations = {{"SR_P", 2}, {"SR_Q", 3}, {"SR_R", 4}};
  given.high_water = 4;
  CHECK(Clean(given) == File("  SR_A = 1,\n  SR_P = 2, // p\n  SR_Q = 3, // q\n  SR_R = 4,\n"));
  // Number 4 has landed in the meantime, so lower reservations get new numbers, in ledger order.
  given.landed = File("  SR_A = 1,\n  SR_R = 4,\n");
  CHECK(Clean(given) == File("  SR_A = 1,\n  SR_R = 4,\n  SR_P = 5, // p\n  SR_Q = 6, // q\n"));
}

TEST_CASE("merge: a branch's own revisions keep their order", "[list][merge][order]") {
  // Merge the last commit of a rebase. The earlier commits are already rebased, so their revisions
  // are numbered after main's.
  const std::string main = "  SR_A = 1,\n  SR_X = 2,\n";
  Given rebased{.base = File("  SR_A = 1,\n  SR_Z = 2,\n  SR_M = 3,\n"),
                .ours = File(main + "  SR_Z = 3,\n  SR_M = 4,\n"),
                .theirs = File("  SR_A = 1,\n  SR_Z = 2,\n  SR_M = 3,\n  SR_B = 4,\n"),
                .landed = File(main)};
  CHECK(Clean(rebased) == File(main + "  SR_Z = 3,\n  SR_M = 4,\n  SR_B = 5,\n"));
  // SR_TWO could keep its number, but it must stay after SR_ONE, which needs a new one. Therefore
  // SR_TWO gets a new number, too.
  Given reserved{.base = File("  SR_A = 1,\n"),
                 .ours = File("  SR_A = 1,\n  SR_ONE = 2,\n  SR_TWO = 4,\n"),
                 .theirs = File("  SR_A = 1,\n  SR_X = 3,\n"),
                 .landed = File("  SR_A = 1,\n  SR_X = 3,\n")};
  reserved.reservations = {{"SR_ONE", 2}, {"SR_TWO", 4}};
  reserved.high_water = 4;
  CHECK(Clean(reserved) == File("  SR_A = 1,\n  SR_X = 3,\n  SR_ONE = 5,\n  SR_TWO = 6,\n"));
  // SR_Z was moved after SR_M on one side, so the other side's order is out of date.
  Given moved{.base = File("  SR_A = 1,\n  SR_Z = 2,\n  SR_M = 3,\n"),
              .ours = File("  SR_A = 1,\n  SR_M = 3,\n  SR_Z = 4,\n"),
              .theirs = File("  SR_A = 1,\n  SR_Z = 2,\n  SR_M = 3,\n  SR_B = 4,\n"),
              .landed = File("  SR_A = 1,\n")};
  const std::string text = Clean(moved);
  CHECK(text.find("SR_M") < text.find("SR_Z"));
  CHECK(text.find("SR_M") < text.find("SR_B"));
}

TEST_CASE("merge: implicit lists get only the numbers they need", "[list][merge]") {
  Given given{.base = File("  SR_A,\n  SR_B,\n"),
              .ours = File("  SR_A,\n  SR_B,\n  SR_MINE,\n"),
              .theirs = File("  SR_A,\n  SR_B,\n  SR_THEIRS,\n")};
  given.landed = given.theirs;
  CHECK(Clean(given) == File("  SR_A,\n  SR_B,\n  SR_THEIRS,\n  SR_MINE,\n"));
  given.high_water = 7;
  CHECK(Clean(given) == File("  SR_A,\n  SR_B,\n  SR_THEIRS,\n  SR_MINE = 8,\n"));
  // A pending entry in the middle of one side shifts the implicit numbers of the entries after it.
  given.high_water = 0;
  given.ours = File("  SR_A,\n  SR_MINE,\n  SR_B,\n");
  CHECK(Clean(given) == File("  SR_A,\n  SR_B,\n  SR_THEIRS,\n  SR_MINE,\n"));
}

TEST_CASE("merge: comment edits of either side are kept", "[list][merge]") {
  CHECK(Clean({.base = File("  SR_A = 1, // a\n  SR_B = 2, // b\n"),
               .ours = File("  SR_A = 1, // a, better\n  SR_B = 2, // b\n"),
               .theirs = File(
                   "  SR_A = 1, // a\n  // leads b\n  SR_B = 2, // b, better\n  SR_C = 3,\n")}) ==
        File("  SR_A = 1, // a, better\n  // leads b\n  SR_B = 2, // b, better\n  SR_C = 3,\n"));
}

TEST_CASE("merge: purged entries stay removed or keep their number", "[list][merge]") {
  ListConfig config;
  config.purged = {"SR_A", "SR_B"};
  Given given{
      .base = File("  SR_A = 1, // a\n  SR_B = 2, // b\n  SR_C = 3,\n"),
      .ours = File("  SR_A = 1, // a\n  SR_B = 2, // better\n  SR_C = 3,\n  SR_MINE = 4,\n"),
      .theirs = File("  SR_C = 3,\n  SR_D = 4,\n"),
      .landed = File("  SR_C = 3,\n  SR_D = 4,\n")};
  CHECK(Clean(given, config) == File("  SR_C = 3,\n  SR_D = 4,\n  SR_MINE = 5,\n"));
  CHECK(MergeBoth(given, config).messages.size() ==
        // one message for the edited entry and one for the renumbered entry, but none for the
        // unchanged entry
        2);
  // An earlier merge brought SR_B back with a new number.
  given.ours = File("  SR_C = 3,\n  SR_B = 4, // b\n");
  CHECK(Clean(given, config) == given.landed);
  // Both branches began before the purge, so their code can still read the purged revisions.
  given.ours = File("  SR_A = 1, // a\n  SR_B = 2, // better\n  SR_C = 3,\n");
  given.theirs = File("  SR_A = 1, // the first\n  SR_B = 2, // b\n  SR_C = 3,\n  SR_P = 7,\n");
  CHECK(Clean(given, config) ==
        File("  SR_A = 1, // the first\n  SR_B = 2, // better\n  SR_C = 3,\n  SR_P = 7,\n"));
  given.theirs =
      // one of the branches has renumbered SR_B
      File("  SR_A = 1, // a\n  SR_B = 5, // b\n  SR_C = 3,\n");
  CHECK(MergeBoth(given, config).conflict);
  const auto falling = [](const std::string& top) {
    return File(top + "  SR_C = 3,\n  SR_B = 2,\n  SR_A = 1,\n");
  };
  given = {.base = falling(""),
           .ours = falling("  SR_O = 5,\n"),
           .theirs = falling("  SR_T = 5,\n"),
           .landed = File("  SR_D = 4,\n  SR_C = 3,\n")};
  CHECK(Summary(Clean(given, config)) == "SR_T=6 SR_O=5 SR_C=3 SR_B=2 SR_A=1");
  given.theirs = File("  SR_D = 4,\n  SR_C = 3,\n");
  CHECK(Summary(Clean(given, config)) == "SR_O=5 SR_D=4 SR_C=3");
}

TEST_CASE("merge: a purged implicit list", "[list][merge]") {
  ListConfig config;
  config.purged = {"SR_A", "SR_B"};
  CHECK(Clean({.base = File("  SR_A,\n  SR_B,\n  SR_C,\n"),
               .ours = File("  SR_A,\n  SR_B, // better\n  SR_C,\n  SR_MINE,\n"),
               .theirs = File("  SR_C = 2,\n  SR_D,\n"),
               .landed = File("  SR_C = 2,\n  SR_D,\n")},
              config) == File("  SR_C = 2,\n  SR_D,\n  SR_MINE,\n"));
}

TEST_CASE("merge: text outside the entries is merged as text", "[list][merge]") {
  const std::string base = "// head\n\nenum Revision {\n  SR_A = 1,\n};\n\n// x\n// y\n// z\n";
  const std::string ours =
      "// head, ours\n\nenum Revision {\n  SR_A = 1,\n  SR_O = 2,\n};\n\n// x\n// y\n// z\n";
  const std::string theirs =
      "// head\n\nenum Revision {\n  SR_A = 1,\n  SR_T = 2,\n};\n\n// x\n// y\n// z, theirs\n";
  CHECK(Clean({.base = base, .ours = ours, .theirs = theirs}) ==
        "// head, ours\n\nenum Revision {\n  SR_A = 1,\n  SR_O = 2,\n  SR_T = 3,\n};\n\n// x\n// "
        "y\n// z, theirs\n");
}

TEST_CASE("merge: the same entry on both sides is taken once", "[list][merge]") {
  const std::string base = File("  SR_A = 1,\n");
  const std::string both = File("  SR_A = 1,\n  SR_P = 2, // p\n");
  CHECK(Clean({.base = base,
               .ours = both,
               .theirs = File("  SR_A = 1,\n  SR_P = 2, // p\n  SR_Q = 3,\n")}) ==
        File("  SR_A = 1,\n  SR_P = 2, // p\n  SR_Q = 3,\n"));
  // One side renumbered SR_P. SR_O, which the other side added after SR_P, stays after it.
  CHECK(Clean({.base = both,
               .ours = File("  SR_A = 1,\n  SR_P = 2, // p\n  SR_O = 3,\n"),
               .theirs = File("  SR_A = 1,\n  SR_P = 9, // p\n"),
               .landed = base}) == File("  SR_A = 1,\n  SR_P = 9, // p\n  SR_O = 10,\n"));
  CHECK(Clean({.base = base,
               .ours = File("  SR_A = 1,\n  SR_P = 666, // 666: p\n"),
               .theirs = File("  SR_A = 1,\n  SR_P = 668, // 668: p\n  SR_Q = 669,\n")}) ==
        File("  SR_A = 1,\n  SR_P = 668, // 668: p\n  SR_Q = 669,\n"));
}

TEST_CASE("merge: a deleted entry is kept if landed and removed if pending", "[list][merge]") {
  const MergeOutput plain = MergeBoth({.base = File("  SR_A = 1,\n  SR_B = 2,\n"),
                                       .ours = File("  SR_A = 1,\n"),
                                       .theirs = File("  SR_A = 1, // a\n  SR_B = 2,\n")});
  CHECK(plain.text == File("  SR_A = 1, // a\n  SR_B = 2,\n"));
  REQUIRE(plain.messages.size() == 1);
  CHECK(plain.messages[0] ==
        "list.h: SR_B is kept, because it has landed. To undo it, add a new revision");
  CHECK(Clean({.base = File("  SR_A = 1,\n  SR_P = 2,\n"),
               .ours = File("  SR_A = 1,\n"),
               .theirs = File("  SR_A = 1, // a\n  SR_P = 2,\n"),
               .landed = File("  SR_A = 1,\n")}) == File("  SR_A = 1, // a\n"));
}

TEST_CASE("merge: renumbering alone neither adds nor keeps a revision", "[list][merge][order]") {
  const std::string base = "  SR_A = 1,\n", added = base + "  SR_P = 2, // 2: p\n",
                    moved = base + "  SR_P = 5, // 5: p\n";
  // A commit that renumbers SR_P is cherry-picked to a branch without SR_P.
  CHECK(
      Clean(
          {.base = File(added), .ours = File(base), .theirs = File(moved), .landed = File(base)}) ==
      File(base));
  // The branch has the new number, and the commit that added SR_P is reverted.
  CHECK(
      Clean(
          {.base = File(added), .ours = File(moved), .theirs = File(base), .landed = File(base)}) ==
      File(base));
  // If a word of the comment also differs, the revision has changed and is kept.
  CHECK(Clean({.base = File(added),
               .ours = File(base + "  SR_P = 5, // 5: q\n"),
               .theirs = File(base),
               .landed = File(base)}) == File(base + "  SR_P = 5, // 5: q\n"));
}

TEST_CASE("merge: sentinel, CURRENT, count", "[list][merge]") {
  ListConfig config;
  config.sentinel = "SR_END";
  config.current = "SR_CURRENT";
  CHECK(Clean({.base = File("  SR_A = 1,\n\n  SR_END,\n  SR_CURRENT = SR_A\n"),
               .ours = File("  SR_A = 1,\n  SR_O = 2,\n\n  SR_END,\n  SR_CURRENT = SR_O\n"),
               .theirs = File("  SR_A = 1,\n  SR_T = 2,\n\n  SR_END,\n  SR_CURRENT = SR_T\n"),
               .landed = File("  SR_A = 1,\n  SR_T = 2,\n")},
              config) ==
        File("  SR_A = 1,\n  SR_T = 2,\n  SR_O = 3,\n\n  SR_END,\n  SR_CURRENT = SR_O\n"));
  CHECK(Clean({.base = File("  SR_A,\n  NUM,\n  SR_NOW = NUM - 1\n"),
               .ours = File("  SR_A,\n  SR_O,\n  NUM,\n  SR_NOW = NUM - 1\n"),
               .theirs = File("  SR_A,\n  SR_T,\n  NUM,\n  SR_NOW = NUM - 1\n")}) ==
        File("  SR_A,\n  SR_O,\n  SR_T,\n  NUM,\n  SR_NOW = NUM - 1\n"));
}

TEST_CASE("merge: lists without a trailing comma or on a single line", "[list][merge]") {
  CHECK(Clean({.base = File("  SR_A = 1\n"),
               .ours = File("  SR_A = 1,\n  SR_O = 2 // o\n"),
               .theirs = File("  SR_A = 1,\n  SR_T = 2 // t\n")}) ==
        File("  SR_A = 1,\n  SR_O = 2, // o\n  SR_T = 3 // t\n"));
  CHECK(Clean({.base = "enum R { SR_A = 1 };\n",
               .ours = "enum R { SR_A = 1, SR_O = 2 };\n",
               .theirs = "enum R { SR_A = 1, SR_T = 2 };\n"}) ==
        "enum R { SR_A = 1, SR_O = 2, SR_T = 3 };\n");
  CHECK(Clean({.base = "enum R {\n  SR_A };\n",
               .ours = "enum R {\n  SR_A,\n  SR_O };\n",
               .theirs = "enum R {\n  SR_A,\n  SR_T };\n"}) ==
        "enum R {\n  SR_A,\n  SR_O,\n  SR_T };\n");
}

TEST_CASE("merge: newest first", "[list][merge]") {
  const std::string base = "enum R {\n  SR_CURRENT = 2,\n\n  SR_B = 2,\n  SR_A = 1,\n};\n";
  ListConfig config;
  config.current = "SR_CURRENT";
  CHECK(Clean({.base = base,
               .ours = "enum R {\n  SR_CURRENT = 3,\n\n  SR_O = 3,\n  SR_B = 2,\n  SR_A = 1,\n};\n",
               .theirs =
                   "enum R {\n  SR_CURRENT = 3,\n\n  SR_T = 3,\n  SR_B = 2,\n  SR_A = 1,\n};\n"},
              config) ==
        "enum R {\n  SR_CURRENT = 4,\n\n  SR_T = 4,\n  SR_O = 3,\n  SR_B = 2,\n  SR_A = 1,\n};\n");
}

TEST_CASE("merge: newest first, no blank lines appear or vanish at the brace", "[list][merge]") {
  const std::string old = "  SR_C = 3,\n  SR_B = 2,\n", first = "  SR_A = 1,\n";
  CHECK(Clean({.base = File(old + first),
               .ours = File("  SR_O = 4,\n" + old + first),
               .theirs = File("  SR_T = 4,\n" + old + first)}) ==
        File("  SR_T = 5,\n  SR_O = 4,\n" + old + first));
  ListConfig config;
  config.purged = {"SR_A"};
  for (const std::string gap :
       {"", "\n", "\n\n", "\n  // the first ones\n", "  // the first ones\n"}) {
    INFO(gap);
    const std::string base = File(old + gap + first), purged = File(old);
    CHECK(Clean({.base = base,
                 .ours = File("  SR_O = 4,\n" + old + gap + first),
                 .theirs = purged,
                 .landed = purged},
                config) == File("  SR_O = 4,\n" + old));
  }
}

TEST_CASE("merge: a new entry stays inside or outside a conditional", "[list][merge]") {
  const std::string head = "#define MAJOR 34\nenum R {\n#if MAJOR == 34\n  SR_A,\n";
  const std::string tail = "#endif\n  NUM,\n};\n";
  CHECK(Clean({.base = head + tail,
               .ours = head + "  SR_O,\n" + tail,
               .theirs = head + "  SR_T, // t\n" + tail}) ==
        head + "  SR_O,\n  SR_T, // t\n" + tail);
  // One side adds an entry after the conditional, where it stays.
  CHECK(Clean({.base = head + tail,
               .ours = head + "  SR_O,\n" + tail,
               .theirs = head + "#endif\n  SR_T,\n  NUM,\n};\n"}) ==
        head + "  SR_O,\n#endif\n  SR_T,\n  NUM,\n};\n");
  // A new conditional is added together with its entry.
  CHECK(Clean({.base = File("  SR_A,\n"),
               .ours = File("  SR_A,\n#if 1\n  SR_O,\n#endif\n"),
               .theirs = File("  SR_A,\n  SR_T,\n")}) ==
        File("  SR_A,\n  SR_T,\n#if 1\n  SR_O,\n#endif\n"));
}

TEST_CASE("merge: aliases", "[list][merge]") {
  CHECK(Clean({.base = File("  SR_A = 1,\n  SR_B,\n"),
               .ours = File("  SR_A = 1,\n  SR_REL_1 = SR_A,\n  SR_B = 2,\n"),
               .theirs = File("  SR_A = 1,\n  SR_B,\n  SR_T,\n  SR_REL_2 = SR_T,\n")}) ==
        File("  SR_A = 1,\n  SR_REL_1 = SR_A,\n  SR_B = 2,\n  SR_T,\n  SR_REL_2 = SR_T,\n"));
  // The alias of a renumbered revision moves with it. Implicit numbers after it become explicit.
  CHECK(Clean({.base = File("  SR_A = 1,\n"),
               .ours = File("  SR_A = 1,\n  SR_O,\n  SR_REL = SR_O,\n"),
               .theirs = File("  SR_A = 1,\n  SR_T,\n"),
               .landed = File("  SR_A = 1,\n  SR_T,\n")}) ==
        File("  SR_A = 1,\n  SR_T,\n  SR_O,\n  SR_REL = SR_O,\n"));
}

TEST_CASE("merge: groups and blank lines", "[list][merge]") {
  CHECK(
      Clean({.base = File("  // first\n  SR_A = 1,\n\n  // second\n  SR_B = 2,\n"),
             .ours = File(
                 "  // first\n  SR_A = 1,\n\n  // second\n  SR_B = 2,\n\n  // ours\n  SR_O = 3,\n"),
             .theirs = File("  // first\n  SR_A = 1,\n\n  // second\n  SR_B = 2,\n\n  // theirs\n  "
                            "SR_T = 3,\n")}) ==
      File("  // first\n  SR_A = 1,\n\n  // second\n  SR_B = 2,\n\n  // ours\n  SR_O = 3,\n  // "
           "theirs\n  SR_T = 4,\n"));
}

TEST_CASE("merge: the side that changed line endings or byte order mark wins", "[list][merge]") {
  const auto crlf = [](std::string text) {
    std::string out;
    for (char c : text) out += c == '\n' ? std::string("\r\n") : std::string(1, c);
    return out;
  };
  const std::string base = File("  SR_A = 1,\n"), ours = File("  SR_A = 1,\n  SR_O = 2,\n"),
                    theirs = File("  SR_A = 1,\n  SR_T = 2,\n");
  const std::string merged = File("  SR_A = 1,\n  SR_O = 2,\n  SR_T = 3,\n");
  CHECK(Clean({.base = crlf(base), .ours = crlf(ours), .theirs = crlf(theirs)}) == crlf(merged));
  CHECK(Clean({.base = base, .ours = crlf(ours), .theirs = theirs}) == crlf(merged));
  CHECK(Clean({.base = crlf(base), .ours = ours, .theirs = crlf(theirs), .landed = base}) ==
        merged);
  CHECK(Clean({.base = base, .ours = "\xef\xbb\xbf" + ours, .theirs = theirs}) ==
        "\xef\xbb\xbf" + merged);
}

TEST_CASE("merge: both sides add the file", "[list][merge]") {
  CHECK(Clean({.base = "",
               .ours = File("  SR_A = 1,\n  SR_O = 2,\n"),
               .theirs = File("  SR_A = 1,\n  SR_T = 2,\n"),
               .landed = File("  SR_A = 1,\n")}) ==
        File("  SR_A = 1,\n  SR_O = 2,\n  SR_T = 3,\n"));
}

TEST_CASE("merge: a base with conflict markers from a criss-cross history", "[list][merge]") {
  const std::string base =
      File("  SR_A = 1,\n<<<<<<<<< one\n  SR_P = 2,\n=========\n  SR_Q = 2,\n>>>>>>>>> two\n");
  CHECK(Clean({.base = base,
               .ours = File("  SR_A = 1,\n  SR_P = 2,\n  SR_Q = 3,\n  SR_O = 4,\n"),
               .theirs = File("  SR_A = 1,\n  SR_P = 2,\n  SR_Q = 3,\n  SR_T = 4,\n"),
               .landed = File("  SR_A = 1,\n")}) ==
        File("  SR_A = 1,\n  SR_P = 2,\n  SR_Q = 3,\n  SR_O = 4,\n  SR_T = 5,\n"));
}

TEST_CASE("merge: a contradiction marks only its own entry", "[list][merge]") {
  const MergeOutput meanings =
      MergeBoth({.base = File("  SR_A = 1,\n"),
                 .ours = File("  SR_A = 1,\n  SR_X = 2, // boss\n  SR_Y = 3,\n"),
                 .theirs = File("  SR_A = 1, // a\n  SR_X = 2, // stamina\n")});
  CHECK(meanings.conflict);
  CHECK(meanings.text == File("  SR_A = 1, // a\n<<<<<<< ours\n  SR_X = 2, // boss\n=======\n  "
                              "SR_X = 2, // stamina\n>>>>>>> theirs\n  SR_Y = 3,\n"));
  REQUIRE_FALSE(meanings.messages.empty());
  CHECK(meanings.messages[0] ==
        "list.h: conflict: SR_X was added on both sides with different meanings");

  const MergeOutput edited = MergeBoth({.base = File("  SR_A = 1,\n  SR_B = 2,\n"),
                                        .ours = File("  SR_A = 1,\n  SR_B = 7,\n"),
                                        .theirs = File("  SR_A = 1, // a\n  SR_B = 2,\n")});
  CHECK(edited.conflict);
  CHECK(
      edited.text ==
      File("  SR_A = 1, // a\n<<<<<<< ours\n  SR_B = 7,\n=======\n  SR_B = 2,\n>>>>>>> theirs\n"));

  const MergeOutput comments =
      MergeBoth({.base = File("  SR_A = 1, // a\n  SR_B = 2,\n"),
                 .ours = File("  SR_A = 1, // x\n  SR_B = 2,\n"),
                 .theirs = File("  SR_A = 1, // y\n  SR_B = 2,\n  SR_T = 3,\n")});
  CHECK(comments.text == File("<<<<<<< ours\n  SR_A = 1, // x\n=======\n  SR_A = 1, // y\n>>>>>>> "
                              "theirs\n  SR_B = 2,\n  SR_T = 3,\n"));
}

TEST_CASE("merge: a number from before landing is not an edit", "[list][merge]") {
  // SR_B had the numbers 2 and then 9 on its branch, and landed as 3. The merge calls `knew_landed`
  // to find out whether the side's commit was made after that landing.
  std::vector<std::string> asked;
  Given given{.base = File("  SR_A = 1,\n  SR_B = 3, // 3: b\n"),
              .ours = File("  SR_A = 1,\n  SR_T = 2,\n  SR_B = 3, // 3: b\n"),
              .theirs = File("  SR_A = 1,\n  SR_B = 2, // 2: b\n"),
              .landed = File("  SR_A = 1,\n  SR_T = 2,\n  SR_B = 3, // 3: b\n")};
  bool knew = false;
  given.knew_landed = [&](std::string_view side, const std::string& name, std::int64_t number) {
    CHECK(number == 3);
    asked.push_back((side == given.theirs ? "theirs " : "ours ") + name);
    return knew;
  };
  CHECK(Clean(given) == given.landed);
  CHECK(asked == std::vector<std::string>{"theirs SR_B", "theirs SR_B"});
  std::swap(given.ours, given.theirs);  // merge in the opposite direction
  CHECK(Clean(given) == given.landed);
  given.theirs = File("  SR_A = 1,\n  SR_B = 9,\n");
  CHECK(Clean(given) == File("  SR_A = 1,\n  SR_B = 3,\n"));
  // The branch was made after SR_B landed, so its different number is an edit and causes a
  // conflict.
  knew = true;
  CHECK(MergeBoth(given).conflict);
}

TEST_CASE("merge: a landed number wins over an older branch's number", "[list][merge]") {
  // `theirs` is a branch on top of the branch with SR_B, which was renumbered and has landed since.
  // The merge recognizes SR_B by its name.
  Given stacked{.base = File("  SR_A = 1,\n"),
                .ours = File("  SR_A = 1,\n  SR_T = 2,\n  SR_B = 3, // b\n"),
                .theirs = File("  SR_A = 1,\n  SR_B = 2, // b\n  SR_O = 3,\n"),
                .landed = File("  SR_A = 1,\n  SR_T = 2,\n  SR_B = 3, // b\n")};
  CHECK(Clean(stacked) == File("  SR_A = 1,\n  SR_T = 2,\n  SR_B = 3, // b\n  SR_O = 4,\n"));
  // If the comment differs, SR_B may be a different revision. Changing a number that is in the base
  // causes a conflict.
  stacked.theirs = File("  SR_A = 1,\n  SR_B = 2, // else\n  SR_O = 3,\n");
  CHECK(MergeBoth(stacked).conflict);
  CHECK(MergeBoth({.base = File("  SR_A = 1,\n  SR_B = 3,\n"),
                   .ours = File("  SR_A = 1,\n  SR_B = 3, // b\n"),
                   .theirs = File("  SR_A = 1,\n  SR_B = 2,\n")})
            .conflict);
}

TEST_CASE("merge: dialects of real lists", "[list][merge]") {
  // People manually keep SR_VERSION equal to the latest revision; the config does not mention it.
  ListConfig by_hand;
  by_hand.aliases = {"SR_VERSION"};
  CHECK(
      Clean({.base = File("  SR_A = 1, // a\n  SR_VERSION = 1, // keep equal\n"),
             .ours = File("  SR_A = 1, // a\n  SR_O = 2,\n  SR_VERSION = 2, // keep equal\n"),
             .theirs = File(
                 "  SR_A = 1, // a\n  SR_T = 2,\n  SR_U = 3,\n  SR_VERSION = 3, // keep equal\n"),
             .landed = File(
                 "  SR_A = 1, // a\n  SR_T = 2,\n  SR_U = 3,\n  SR_VERSION = 3, // keep equal\n")},
            by_hand) == File("  SR_A = 1, // a\n  SR_T = 2,\n  SR_U = 3,\n  SR_O = 4,\n  "
                             "SR_VERSION = 4, // keep equal\n"));
  // MINIMAL moves from top to bottom on one side while the other side adds an entry. The merged
  // list has MINIMAL after the entry that it names.
  ListConfig releases;
  releases.prefix = "";
  releases.aliases = {"REL_*", "MINIMAL"};
  releases.current = "CURRENT";
  const std::string base = File(
      "  NONE = 0,\n\n  REL_1 = 8,\n  MINIMAL = REL_1,\n\n  A,\n  B,\n\n  REL_2 = B,\n\n  CURRENT "
      "= B,\n");
  const std::string ours = File(
      "  NONE = 0,\n\n  REL_1 = 8,\n  MINIMAL = REL_1,\n\n  A,\n  B,\n  O,\n\n  REL_2 = B,\n\n  "
      "CURRENT = O,\n");
  const std::string theirs = File(
      "  NONE = 0,\n\n  B = 10,\n  T,\n\n  REL_2 = B,\n\n  MINIMAL = REL_2,\n  CURRENT = T,\n");
  CHECK(Clean({.base = base, .ours = ours, .theirs = theirs, .landed = theirs}, releases) ==
        File("  NONE = 0,\n\n  B = 10,\n  T,\n  O,\n\n  REL_2 = B,\n\n  MINIMAL = REL_2,\n  "
             "CURRENT = O,\n"));
  CHECK_FALSE(
      MergeBoth({.base = base, .ours = ours, .theirs = theirs, .landed = ours}, releases).conflict);
  // A release alias survives the purge of its entry, because the purging side replaces the entry's
  // name with the number.
  CHECK(Clean({.base = File("  MINIMAL = 1,\n  A,\n  REL_1 = A,\n  B,\n  CURRENT = B,\n"),
               .ours = File("  MINIMAL = 1,\n  A,\n  REL_1 = A,\n  B,\n  O,\n  CURRENT = O,\n"),
               .theirs = File("  REL_1 = 2,\n  MINIMAL = REL_1,\n  B,\n  T,\n  CURRENT = T,\n"),
               .landed = File("  REL_1 = 2,\n  MINIMAL = REL_1,\n  B,\n  T,\n  CURRENT = T,\n")},
              releases) ==
        File("  REL_1 = 2,\n  MINIMAL = REL_1,\n  B,\n  T,\n  O,\n  CURRENT = O,\n"));
}

TEST_CASE("merge: a revision of a release conflicts with the target's new revisions",
          "[list][merge]") {
  const std::string base = File("  SR_A = 1,\n"), target = File("  SR_A = 1,\n  SR_T = 2,\n"),
                    release = File("  SR_A = 1,\n  SR_R = 2, // r\n");
  MergeInput input;
  input.base = base, input.ours = target, input.theirs = release, input.path = "list.h";
  MergeContext context =
      ContextOf({.base = base, .ours = target, .theirs = release, .landed = target});
  context.released =
      [](const std::string& name) -> std::optional<std::pair<std::int64_t, std::string>> {
    if (name == "SR_R") return std::make_pair(std::int64_t{2}, std::string("release/1"));
    return std::nullopt;
  };
  const auto merged = Merge(input, context, ListConfig{});
  REQUIRE(merged.ok());
  CHECK(merged->conflict);
  CHECK(
      merged->text ==
      File("  SR_A = 1,\n  SR_T = 2,\n<<<<<<< ours\n=======\n  SR_R = 2, // r\n>>>>>>> theirs\n"));
  REQUIRE_FALSE(merged->messages.empty());
  CHECK(
      merged->messages[0].find(
          "SR_R has landed as 2 on release/1, but the target lacks it and already has SR_T (2)") !=
      std::string::npos);
  // If the target has no new revision, the release's entry can still land there.
  context.landed_text = base;
  const std::string comment = File("  SR_A = 1, // a\n");
  input.ours = comment;
  const auto clean = Merge(input, context, ListConfig{});
  REQUIRE(clean.ok());
  CHECK_FALSE(clean->conflict);
  CHECK(clean->text == File("  SR_A = 1, // a\n  SR_R = 2, // r\n"));
}

TEST_CASE("merge: the caller sets marker width and labels", "[list][merge]") {
  MergeInput input;
  const std::string base = File("  SR_A = 1,\n"), ours = File("  SR_A = 1,\n  SR_X = 2, // o\n"),
                    theirs = File("  SR_A = 1,\n  SR_X = 2, // t\n");
  input.base = base, input.ours = ours, input.theirs = theirs;
  input.path = "list.h";
  input.marker_size = 9;
  input.ours_label = "HEAD";
  input.theirs_label = "feature";
  const auto merged = Merge(input, MergeContext{}, ListConfig{});
  REQUIRE(merged.ok());
  CHECK(merged->text == File("  SR_A = 1,\n<<<<<<<<< HEAD\n  SR_X = 2, // o\n=========\n  SR_X = "
                             "2, // t\n>>>>>>>>> feature\n"));
}

TEST_CASE("merge: unreadable input is an error for the caller", "[list][merge]") {
  MergeInput input;
  const std::string good = File("  SR_A = 1,\n"), other = good + "\n", bad = "no list at all\n",
                    marked = File("<<<<<<< a\n  SR_A = 1,\n=======\n>>>>>>> b\n");
  input.base = good, input.path = "list.h";
  input.ours = bad, input.theirs = other;
  CHECK_FALSE(Merge(input, MergeContext{}, ListConfig{}).ok());
  input.ours = marked;
  const auto markers = Merge(input, MergeContext{}, ListConfig{});
  REQUIRE_FALSE(markers.ok());
  CHECK(ErrorText(markers.error()) == "list.h:2: one side of the merge contains conflict markers");
}

TEST_CASE("fix: conflict markers of a plain merge, in both styles", "[list][merge]") {
  MergeContext context;
  context.landed_known = true;
  context.landed_text = File("  SR_A = 1,\n  SR_T = 2,\n");
  context.text_merge = LineMerge;
  const std::string want = File("  SR_A = 1,\n  SR_T = 2,\n  SR_O = 3, // o\n");
  const std::string merge_style =
      File("  SR_A = 1,\n<<<<<<< HEAD\n  SR_O = 2, // o\n=======\n  SR_T = 2,\n>>>>>>> main\n");
  const std::string diff3_style = File(
      "  SR_A = 1,\n<<<<<<< HEAD\n  SR_O = 2, // o\n||||||| base\n=======\n  SR_T = 2,\n>>>>>>> "
      "main\n");
  for (const std::string& text : {merge_style, diff3_style}) {
    const auto resolved = Resolve(text, "list.h", context, ListConfig{});
    REQUIRE(resolved.ok());
    CHECK_FALSE(resolved->conflict);
    CHECK(resolved->text == want);
  }
  // A text merge can succeed without a conflict and still leave duplicate numbers. Resolve repairs
  // such a list, too.
  const auto silent = Resolve(File("  SR_A = 1,\n  SR_O = 2, // o\n  SR_T = 2,\n"), "list.h",
                              context, ListConfig{});
  REQUIRE(silent.ok());
  CHECK(silent->text == want);
  CHECK_FALSE(Resolve(File("<<<<<<< a\n"), "list.h", context, ListConfig{}).ok());
  // A text merge has shifted the implicit number of SR_Z above SR_B's explicit number, so Resolve
  // orders the revisions by line.
  context.landed_text = File("  SR_A = 1,\n  SR_O = 9,\n");
  const auto shifted = Resolve(File("  SR_A = 1,\n  SR_O = 9,\n  SR_Z,\n  SR_B = 3,\n"), "list.h",
                               context, ListConfig{});
  REQUIRE(shifted.ok());
  CHECK(shifted->text == File("  SR_A = 1,\n  SR_O = 9,\n  SR_Z,\n  SR_B = 11,\n"));
  CHECK(ConflictMarkerLine(merge_style) == 3);
  CHECK(ConflictMarkerLine(want) == 0);
}

TEST_CASE("merge: a different name with a landed number is a new revision", "[list][merge]") {
  // A branch used number 3 before SR_CAVE landed with it. The base is newer, as in a cherry-pick of
  // a commit that landed after SR_CAVE.
  Given given{.base = File("  SR_A = 1,\n  SR_CAVE = 3, // caves\n"),
              .ours = File("  SR_A = 1,\n  SR_BOSS = 3, // boss\n  SR_REL = SR_BOSS,\n"),
              .theirs = File("  SR_A = 1,\n  SR_CAVE = 3, // caves\n  SR_DOOR = 4,\n")};
  given.landed = given.theirs;
  const MergeOutput merged = MergeBoth(given);
  CHECK(merged.text == File("  SR_A = 1,\n  SR_CAVE = 3, // caves\n  SR_DOOR = 4,\n  SR_BOSS = 5, "
                            "// boss\n  SR_REL = SR_BOSS,\n"));
  REQUIRE(merged.messages.size() == 2);
  CHECK(merged.messages[0] ==
        "list.h: SR_CAVE is kept, because it has landed as 3. SR_BOSS has the same number on one "
        "side, so it gets a new one. If SR_BOSS is only a new name for SR_CAVE, write SR_BOSS = "
        "SR_CAVE instead");
  given.reservations = {{"SR_BOSS", 3}};
  given.high_water = 4;
  CHECK(Clean(given) == merged.text);
}

TEST_CASE("merge: a revision renamed on one side and changed on the other stays one revision",
          "[list][merge]") {
  Given given{.base = File("  SR_A = 1,\n  SR_R = 2, // r\n"),
              .ours = File("  SR_A = 1,\n  SR_RR = 2, // r\n"),
              .theirs = File("  SR_A = 1,\n  SR_R = 5, // r\n"),
              .landed = File("  SR_A = 1,\n")};
  const MergeOutput merged = MergeBoth(given);
  CHECK_FALSE(merged.conflict);
  REQUIRE(merged.messages.size() >= 1);
  CHECK(merged.messages[0].find("one side renamed SR_R to SR_RR") != std::string::npos);
  CHECK(merged.text == File("  SR_A = 1,\n  SR_RR = 5, // r\n"));
  // The other side changed the comment of SR_R.
  given.theirs = File("  SR_A = 1,\n  SR_R = 2, // r is fine\n");
  CHECK(Clean(given) == File("  SR_A = 1,\n  SR_RR = 2, // r is fine\n"));
  // The ledger has reserved the number for the old name, so the new name cannot use it.
  given.theirs = File("  SR_A = 1,\n  SR_R = 5, // r\n");
  given.high_water = 5;
  given.reservations = {{"SR_R", 5}};
  CHECK(Clean(given) == File("  SR_A = 1,\n  SR_RR = 6, // r\n"));
}

}  // namespace revctl::list
