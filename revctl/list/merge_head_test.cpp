// A merge that leaves the shared upper part of long lists out gives what the merge of the whole
// lists gives, and steps back where it could not.
#include "revctl/list/merge_head.h"

#include <random>

#include "revctl/list/line_merge_test.h"
#include "revctl/list/merge_versions.h"
#include "revctl/list/test_lists.h"

namespace revctl::list {
namespace {

constexpr int kLong = 600;

/// Entries 1 to kLong with gaps, blank lines and comments among them.
std::string LongHead(unsigned seed = 0) {
  std::mt19937 random(seed);
  std::string out;
  for (int i = 1; i <= kLong; ++i) {
    if (seed != 0 && random() % 9 == 0)
      out += random() % 2 == 0 ? "\n" : "  // group " + std::to_string(i) + "\n";
    out += "  SR_N" + std::to_string(i) + " = " + std::to_string(i * 10) + ", // n" +
           std::to_string(i) + "\n";
  }
  return out;
}

struct Lists {
  std::string above = "#pragma once\nenum Revision {\n", head = LongHead(), below = "};\n";
  std::string base = {}, ours = {}, theirs = {};  ///< entries behind the head
  std::optional<std::string> landed = {};         ///< nullopt: as the base
  ListConfig config = {};
  std::vector<std::pair<std::string, std::int64_t>> reservations = {};
};

std::string Whole(const Lists& lists, const std::string& tail) {
  return lists.above + lists.head + tail + lists.below;
}

struct TwoWays {
  std::optional<MergeOutput> quick;
  base::Result<MergeOutput> whole;
};

TwoWays MergeTwoWays(const Lists& lists) {
  const std::string base = Whole(lists, lists.base), ours = Whole(lists, lists.ours),
                    theirs = Whole(lists, lists.theirs);
  MergeContext context;
  context.landed_known = true;
  context.landed_text = Whole(lists, lists.landed.value_or(lists.base));
  context.text_merge = testing::LineMerge;
  context.reservations = lists.reservations;
  context.ledger_known = !lists.reservations.empty();
  for (const auto& reservation : lists.reservations)
    context.high_water = std::max(context.high_water, reservation.second);
  // git knows a side by its whole text alone, and says the same of it each time.
  const auto about = [&](std::string_view side, const std::string& name) {
    CHECK((side == ours || side == theirs));
    return (side.size() + name.size()) % 3;
  };
  context.origin = [&](std::string_view side, const std::string& name, const std::string&) {
    constexpr Origin kOrigins[] = {Origin::Renamed, Origin::Own, Origin::Unknown};
    return kOrigins[about(side, name)];
  };
  context.knew_landed = [&](std::string_view side, const std::string& landed) {
    return about(side, landed) == 0;
  };
  context.on_release = [&](std::string_view side) { return about(side, "") == 0; };
  MergeInput input;
  input.base = base;
  input.ours = ours;
  input.theirs = theirs;
  input.path = "list.h";
  return {detail::MergeBehindSharedHead(input, context, lists.config),
          detail::MergeVersions(input, context, lists.config)};
}

/// The quick merge was made, and is the whole one.
std::string Quick(const Lists& lists) {
  const TwoWays both = MergeTwoWays(lists);
  REQUIRE(both.whole.ok());
  REQUIRE(both.quick);
  CHECK_FALSE(both.whole->conflict);
  CHECK(both.quick->text == both.whole->text);
  CHECK(both.quick->messages == both.whole->messages);
  const std::size_t tail = lists.above.size() + lists.head.size();
  REQUIRE(both.quick->text.size() > tail);
  return both.quick->text.substr(tail, both.quick->text.size() - tail - lists.below.size());
}

bool StepsBack(const Lists& lists) { return !MergeTwoWays(lists).quick; }

}  // namespace

TEST_CASE("merge: the shared head of long lists is cut and put back", "[list][merge][head]") {
  Lists lists{.ours = "  SR_OURS = 6001,\n", .theirs = "  SR_THEIRS = 6001,\n"};
  CHECK(Quick(lists) == "  SR_OURS = 6001,\n  SR_THEIRS = 6002,\n");
  lists.theirs = "  SR_THEIRS = 6003,\n";
  lists.reservations = {{"SR_THEIRS", 6003}};
  CHECK(Quick(lists) == "  SR_THEIRS = 6003,\n  SR_OURS = 6004,\n");
  // The target went on, so that one side only brings what has landed.
  lists.landed = lists.theirs;
  CHECK(Quick(lists) == "  SR_THEIRS = 6003,\n  SR_OURS = 6004,\n");
  const Lists named{.above = "enum class Revision : unsigned short {\n  MINIMAL = 1,\n",
                    .base = "  CURRENT = SR_N600,\n",
                    .ours = "  SR_A, // a\n  CURRENT = SR_A,\n",
                    .theirs = "  SR_B, // b\n  CURRENT = SR_B,\n"};
  CHECK(Quick(named) == "  SR_A, // a\n  SR_B, // b\n  CURRENT = SR_B,\n");
}

TEST_CASE("merge: git is asked about sides by their whole text", "[list][merge][head]") {
  const Lists renamed{.base = "  SR_X = 6001,\n",
                      .ours = "  SR_Y = 6001,\n",
                      .theirs = "  SR_X = 6001,\n  SR_Z = 6002,\n"};
  Quick(renamed);
  const Lists older{.base = "  SR_X = 6001,\n",
                    .ours = "  SR_X = 6001,\n  SR_Z = 6003,\n",
                    .theirs = "  SR_X = 6002,\n"};
  const TwoWays both = MergeTwoWays(older);
  REQUIRE(both.whole.ok());
  CHECK(both.quick.has_value() == !both.whole->conflict);
}

TEST_CASE("merge: what refers to a shared head is merged as a whole", "[list][merge][head]") {
  const Lists plain{.ours = "  SR_OURS = 6001,\n", .theirs = "  SR_THEIRS = 6001,\n"};
  REQUIRE_FALSE(StepsBack(plain));
  const auto with = [&plain](auto change) {
    Lists lists = plain;
    change(lists);
    return lists;
  };
  CHECK(StepsBack(with([](Lists& l) { l.ours += "  RELEASE = SR_N300,\n"; })));
  CHECK(StepsBack(with([](Lists& l) { l.ours += "  SR_N300 = 6005,\n"; })));     // a name twice
  CHECK(StepsBack(with([](Lists& l) { l.theirs = "  SR_THEIRS = 3000,\n"; })));  // a number twice
  CHECK(StepsBack(
      with([](Lists& l) { l.theirs = "  SR_THEIRS = 3005,\n"; })));  // between two of the head
  CHECK(StepsBack(with([](Lists& l) { l.above = "#define SR_N300 5\n" + l.above; })));
  CHECK(StepsBack(with([](Lists& l) { l.above = "#define JOIN(a, b) a##b\n" + l.above; })));
  CHECK(StepsBack(with([](Lists& l) { l.ours += "  REL = SR_\\\nN300,\n"; })));
  CHECK(StepsBack(with([](Lists& l) { l.config.aliases = {"SR_N3*"}; })));
  CHECK(StepsBack(with([](Lists& l) { l.config.purged = {"SR_N300"}; })));
  CHECK(StepsBack(with([](Lists& l) { l.config.current = "SR_N300"; })));
  CHECK(StepsBack(with([](Lists& l) { l.config.sentinel = "SR_N300"; })));
  CHECK(StepsBack(with([](Lists& l) {
    l.config.prefix = "";
    l.config.enum_name = "Revision";
  })));
  CHECK(StepsBack(with([](Lists& l) { l.below = "};\r\n"; })));
  CHECK(StepsBack(with([](Lists& l) {
    l.ours = "  SR_BOTH = 6001, // one\n";
    l.theirs = "  SR_BOTH = 6001, // two\n";
  })));  // a conflict
  // Not a list at all: neither is it one for the quick merge.
  CHECK(StepsBack(with([](Lists& l) {
    l.above += "  SR_FIRST = 1, /*\n";
    l.below = "*/ };\n";
  })));
  CHECK(StepsBack(with([](Lists& l) {
    l.above = "#if 0\n" + l.above;
    l.below += "#endif\nenum R2 { SR_ONE = 1 };\n";
  })));
}

TEST_CASE("merge: only plain lines are left out", "[list][merge][head]") {
  const auto odd = [](const std::string& line) {
    Lists lists{.ours = "  SR_OURS = 9001,\n", .theirs = "  SR_THEIRS = 9001,\n"};
    // In the middle: neither half is worth leaving out.
    lists.head.insert(lists.head.find("  SR_N300 "), line + "\n");
    return lists;
  };
  REQUIRE_FALSE(StepsBack(odd("  // a comment")));
  REQUIRE_FALSE(StepsBack(odd("  SR_BETWEEN=2995,")));
  for (const char* line :
       {"  // goes on \\", "  /* a block */", "  SR_IMPLICIT,", "  SR_ODD = 010000,",
        "  SR_TWICE = 2990,", "  Other = 2995,", "#define ODD", "  SR_HEX = 0xbb4,",
        "  SR_LATE = 2995, SR_LATER = 2996,", "  SR_SUM = 2990 + 5,", "  SR_LONG = 2995L,"}) {
    INFO(line);
    CHECK(StepsBack(odd(line)));
  }
}

TEST_CASE("merge: random lists merge alike without their shared head", "[list][merge][head]") {
  std::mt19937 random(7);
  const auto below = [&random](std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
  };
  std::size_t quick = 0;
  const std::size_t rounds = testing::Many(150);
  for (std::size_t round = 0; round < rounds; ++round) {
    const auto entries = [&](const std::string& prefix, std::int64_t from) {
      std::string out;
      for (std::size_t i = below(4); i > 0; --i, from += static_cast<std::int64_t>(1 + below(3))) {
        if (below(5) == 0) out += "\n  // about " + prefix + "\n";
        out += "  SR_" + prefix + std::to_string(i) +
               (below(3) != 0 ? " = " + std::to_string(from) : "") + "," +
               (below(2) != 0 ? " // " + prefix : "") + "\n";
        const std::string named =
            below(3) != 0 ? prefix + std::to_string(i) : "N" + std::to_string(1 + below(kLong));
        if (below(6) == 0) out += "  REL_" + prefix + std::to_string(i) + " = SR_" + named + ",\n";
      }
      return out;
    };
    Lists lists;
    lists.head = LongHead(static_cast<unsigned>(round + 1));
    const std::string landed = entries("L", kLong * 10 + 1);
    lists.base = below(2) != 0 ? landed : "";
    lists.landed = landed;
    lists.ours = (below(2) != 0 ? landed : lists.base) +
                 entries("O", kLong * 10 + static_cast<std::int64_t>(below(20)));
    lists.theirs = (below(2) != 0 ? landed : lists.base) +
                   entries("T", kLong * 10 + static_cast<std::int64_t>(below(20)) - 5);
    if (const std::size_t at = lists.theirs.find("SR_L1 = ");
        at != std::string::npos && below(2) != 0)
      lists.theirs.insert(at + 8, "1");
    if (below(2) != 0) lists.reservations = {{"SR_O1", kLong * 10 + 3}, {"SR_T1", kLong * 10 + 15}};
    if (below(3) == 0) {
      for (std::string* tail : {&lists.base, &lists.ours, &lists.theirs, &*lists.landed}) {
        *tail += "  CURRENT = " + std::string(tail == &lists.ours ? "SR_N600" : "SR_N599") + ",\n";
      }
    }
    const TwoWays both = MergeTwoWays(lists);
    INFO("round " << round << "\n--- base\n"
                  << lists.base << "--- ours\n"
                  << lists.ours << "--- theirs\n"
                  << lists.theirs << "--- landed\n"
                  << landed);
    if (!both.quick) continue;
    ++quick;
    REQUIRE(both.whole.ok());
    CHECK_FALSE(both.whole->conflict);
    CHECK(both.quick->text == both.whole->text);
    CHECK(both.quick->messages == both.whole->messages);
  }
  CHECK(quick > rounds / 3);
}

}  // namespace revctl::list
