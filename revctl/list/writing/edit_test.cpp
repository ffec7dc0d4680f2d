#include "revctl/list/writing/edit.h"

#include <filesystem>

#include "revctl/list/testing/test_lists.h"
#include "revctl/list/writing/body.h"

namespace revctl::list {
namespace {

using testing::Fixture;
using testing::LineDiff;
using testing::Parsed;
using testing::Summary;

ListConfig Config(std::string prefix, std::string enum_name = "", std::string sentinel = "",
                  std::string current = "") {
  ListConfig config;
  config.prefix = std::move(prefix);
  config.enum_name = std::move(enum_name);
  config.sentinel = std::move(sentinel);
  config.current = std::move(current);
  return config;
}

std::string AppendDiff(const std::string& text, const ListConfig& config, std::string_view name,
                       std::int64_t number, std::string_view comment) {
  const RevisionList list = Parsed(text, config);
  const auto after = Append(list, config, name, number, comment);
  if (!after) return "error: " + ErrorText(after.error());
  const RevisionList again = Parsed(*after, config);
  REQUIRE(again.Find(name) != nullptr);
  CHECK(again.Find(name)->number == number);
  for (const Entry* entry : list.Revisions())
    CHECK(again.Find(entry->name)->number == entry->number);
  return LineDiff(text, *after);
}

}  // namespace

TEST_CASE("body: splitting and rendering a fixture does not change it", "[list][edit]") {
  const std::vector<std::pair<std::string, ListConfig>> fixtures{
      {"method.h", Config("SR_")},
      {"implicit.h", Config("TAG_MINOR_")},
      {"scoped_aliases.h", Config("", "ESaveVersion")},
      {"comments.h", Config("SR_", "Revision")},
      {"one_line.h", Config("SR_")},
      {"packed.h", Config("SR_")},
      {"attributes.h", Config("SR_")},
      {"continued.h", Config("SR_")},
      {"conditions.h", Config("SR_")},
      {"crlf.h", Config("SR_")},
      {"bom_no_final_newline.h", Config("SR_")},
      {"empty_tail.h", Config("SR_")},
      {"comma_first.h", Config("SR_")},
      {"newest_first.h", Config("FORMAT_VERSION_")},
      {"nested.h", Config("SR_")}};
  for (const auto& [file, config] : fixtures) {
    INFO(file);
    const RevisionList list = Parsed(Fixture(file), config);
    CHECK(detail::Body::Split(list).Render() == list.text);
  }
}

TEST_CASE("append: the new entry copies the style and comes before the sentinel", "[list][edit]") {
  CHECK(AppendDiff(Fixture("method.h"), Config("SR_", "", "SR_LATEST_PLUS_ONE"), "SR_BOSS", 667,
                   "ae: phases") == "+    SR_BOSS=667,// ae: phases\n");
  CHECK(AppendDiff(Fixture("method.h"), Config("SR_", "", "SR_LATEST_PLUS_ONE"), "SR_BOSS", 670,
                   "") == "+    SR_BOSS=670,\n");
}

TEST_CASE("append: implicit numbers stay implicit unless there is a gap", "[list][edit]") {
  const ListConfig config = Config("TAG_MINOR_");
  CHECK(AppendDiff(Fixture("implicit.h"), config, "TAG_MINOR_NEW", 14, "what's new") ==
        "+    TAG_MINOR_NEW,                 // what's new\n");
  CHECK(AppendDiff(Fixture("implicit.h"), config, "TAG_MINOR_NEW", 20, "what's new") ==
        "+    TAG_MINOR_NEW = 20,            // what's new\n");
}

TEST_CASE("append: tabs, aliases and CURRENT", "[list][edit]") {
  CHECK(AppendDiff(Fixture("scoped_aliases.h"), Config("", "ESaveVersion"), "MORE_TIMERS", 842,
                   "timers") ==
        "-\tCURRENT = AFTER_TIMERS\n+\tMORE_TIMERS, // 842: timers\n+\tCURRENT = MORE_TIMERS\n");
  CHECK(AppendDiff(Fixture("alias_middle.h"), Config("", "Version"), "F", 15, "") ==
        "-    CURRENT = (E)\n+    F,\n+    CURRENT = (F)\n");
  CHECK(AppendDiff(Fixture("version_coded.h"), Config("kVersion_"), "kVersion_363", 3060300, "") ==
        "-    kVersion_Current = kVersion_362\n+    kVersion_363    = 3060300,\n+    "
        "kVersion_Current = kVersion_363\n");
}

TEST_CASE("append: a newest-first list grows at the top, and a numeric CURRENT follows",
          "[list][edit]") {
  CHECK(AppendDiff(Fixture("newest_first.h"), Config("FORMAT_VERSION_", "", "", "CURRENT_VERSION"),
                   "FORMAT_VERSION_1100", 1100, "1.1") ==
        "-    CURRENT_VERSION = 1009,\n-\n+    CURRENT_VERSION = 1100,\n+\n+    "
        "FORMAT_VERSION_1100 = 1100,  // 1.1\n");
}

TEST_CASE("append: line endings, byte order marks and unusual layouts", "[list][edit]") {
  CHECK(AppendDiff(Fixture("crlf.h"), Config("SR_"), "SR_D", 4, "d") == "+\tSR_D = 4,\t// d^M\n");
  CHECK(AppendDiff(Fixture("bom_no_final_newline.h"), Config("SR_"), "SR_D", 4, "d") ==
        "-  SR_C}; // the end(no newline)\n+  SR_C,\n+  SR_D  // d\n+}; // the end(no newline)\n");
  CHECK(AppendDiff(Fixture("one_line.h"), Config("SR_"), "SR_D", 4, "") ==
        "-enum Revision { SR_A = 1, SR_B = 2, SR_C }; enum Other { O_A, O_B };\n"
        "+enum Revision { SR_A = 1, SR_B = 2, SR_C, SR_D }; enum Other { O_A, O_B };\n");
  CHECK(AppendDiff(Fixture("packed.h"), Config("SR_"), "SR_H", 20, "") ==
        "-  SR_G };(no newline)\n+  SR_G,\n+  SR_H = 20 };(no newline)\n");
  CHECK(AppendDiff(Fixture("comma_first.h"), Config("SR_"), "SR_D", 10, "") == "+    , SR_D\n");
  CHECK(AppendDiff(Fixture("empty_tail.h"), Config("SR_"), "SR_D", 10, "") ==
        "-    SR_LAST = 5\n+    SR_LAST = 5,\n+    SR_D = 10\n");
  CHECK(AppendDiff(Fixture("count_current.h"), Config("", "Type"), "SoundsOnDisk", 3, "") ==
        "+    SoundsOnDisk,\n");
  CHECK(AppendDiff("enum Revision {\n};\n", Config("SR_"), "SR_A", 1, "ae: x") ==
        "+    SR_A=1,// ae: x\n");
  CHECK(AppendDiff("enum Revision {};\n", Config("SR_"), "SR_A", 1, "") ==
        "-enum Revision {};\n+enum Revision { SR_A=1};\n");
}

TEST_CASE("append: a list that repeats numbers in its comments", "[list][edit]") {
  CHECK(AppendDiff("enum V {\n  SR_A = 831,\n  SR_B, // 832 + names\n};\n", Config("SR_"), "SR_C",
                   833, "more") == "+  SR_C, // 833 more\n");
  CHECK(AppendDiff("enum V {\n  SR_A = 0x1A, // a\n};\n", Config("SR_"), "SR_C", 0x1b, "more") ==
        "+  SR_C = 0x1B, // more\n");
}

TEST_CASE("append: a message cannot break out of its comment", "[list][edit]") {
  CHECK(AppendDiff("enum V {\n  SR_A = 1, // a\n};\n", Config("SR_"), "SR_B", 2,
                   "x\n}; int evil; //\\") == "+  SR_B = 2, // x }; int evil; //\n");
  CHECK(AppendDiff("enum V {\n  SR_A = 1, /* a */\n};\n", Config("SR_"), "SR_B", 2,
                   "x */ SR_EVIL = 3, /*") == "+  SR_B = 2, /* x * / SR_EVIL = 3, /* */\n");
}

TEST_CASE("append: invalid names and taken numbers are errors", "[list][edit]") {
  const std::string text = Fixture("method.h");
  const ListConfig config = Config("SR_", "", "SR_LATEST_PLUS_ONE");
  for (std::string_view name :
       {"SR_COOL_THING", "SR_", "XX_NAME", "SR_A B", "SR_A;", "", "SR_\xc3\x9c", "SR_A\n"}) {
    CHECK_FALSE(Append(Parsed(text, config), config, name, 700, "").ok());
  }
  const auto taken = Append(Parsed(text, config), config, "SR_NEW", 666, "");
  REQUIRE_FALSE(taken.ok());
  CHECK(ErrorText(taken.error()) == "list.h: the number 666 is taken by SR_COOL_THING (list.h:7)");
  const ListConfig small = Config("SR_");
  CHECK_FALSE(
      Append(Parsed("enum R : unsigned char { SR_A = 255 };", small), small, "SR_B", 256, "").ok());
}

TEST_CASE("fix: moving a revision updates its number, its comment and CURRENT", "[list][edit]") {
  const std::string text =
      "enum R {\n  SR_A = 1,\n  // mine, 666 at first\n  SR_MINE = 666, // 666: mine\n  SR_THEIRS "
      "= 667, // theirs\n\n  SR_CURRENT = SR_THEIRS,\n};\n";
  const ListConfig config = Config("SR_", "", "", "SR_CURRENT");
  const auto after = MoveToEnd(Parsed(text, config), config, {{"SR_MINE", 668}});
  REQUIRE(after.ok());
  CHECK(*after ==
        "enum R {\n  SR_A = 1,\n  SR_THEIRS = 667, // theirs\n  // mine, 668 at first\n  SR_MINE = "
        "668, // 668: mine\n\n"
        "  SR_CURRENT = SR_MINE,\n};\n");
  const auto again = MoveToEnd(Parsed(*after, config), config, {{"SR_MINE", 668}});
  REQUIRE(again.ok());
  CHECK(*again == *after);
}

TEST_CASE("fix: moving an implicit entry shifts no other numbers", "[list][edit]") {
  const std::string text = "enum R {\n  SR_A,\n  SR_MINE, // mine\n  SR_B = 2, // b\n  SR_C\n};\n";
  const auto after = MoveToEnd(Parsed(text), Config("SR_"), {{"SR_MINE", 4}});
  REQUIRE(after.ok());
  CHECK(*after == "enum R {\n  SR_A,\n  SR_B = 2, // b\n  SR_C,\n  SR_MINE // mine\n};\n");
  const auto far = MoveToEnd(Parsed(text), Config("SR_"), {{"SR_MINE", 9}});
  REQUIRE(far.ok());
  CHECK(Summary(*far) == "SR_A=0 SR_B=2 SR_C=3 SR_MINE=9");
}

TEST_CASE("fix: moving several revisions keeps their order, aliases and the sentinel",
          "[list][edit]") {
  const std::string text = "enum R { SR_P = 5, SR_REL = SR_P, SR_Q = 6, SR_A = 7, SR_END };";
  const ListConfig config = Config("SR_", "", "SR_END");
  const auto after = MoveToEnd(Parsed(text, config), config, {{"SR_Q", 8}, {"SR_P", 9}});
  REQUIRE(after.ok());
  CHECK(Summary(*after, config) == "SR_A=7 SR_Q=8 SR_P=9 [SR_REL=9] (SR_END=10)");
  CHECK_FALSE(MoveToEnd(Parsed(text, config), config, {{"SR_Q", 7}}).ok());
  CHECK_FALSE(MoveToEnd(Parsed(text, config), config, {{"SR_NONE", 8}}).ok());
}

TEST_CASE("fix: newest first", "[list][edit]") {
  const std::string text =
      "enum R {\n  SR_CURRENT = 5,\n\n  SR_C = 5,\n  SR_B = 4,\n  SR_A = 3,\n};\n";
  const ListConfig config = Config("SR_", "", "", "SR_CURRENT");
  const auto after = MoveToEnd(Parsed(text, config), config, {{"SR_B", 6}});
  REQUIRE(after.ok());
  CHECK(*after == "enum R {\n  SR_CURRENT = 6,\n\n  SR_B = 6,\n  SR_C = 5,\n  SR_A = 3,\n};\n");
}

TEST_CASE("remove: later entries keep their numbers", "[list][edit]") {
  const auto after = Remove(Parsed("enum R {\n  SR_A,\n  // mine\n  SR_P,\n  SR_B,\n};\n"),
                            Config("SR_"), {"SR_P"});
  REQUIRE(after.ok());
  CHECK(*after == "enum R {\n  SR_A,\n  SR_B = 2,\n};\n");
  CHECK_FALSE(Remove(Parsed("enum R { SR_A, SR_X = SR_A };"), Config("SR_"), {"SR_A"}).ok());
}

TEST_CASE("purge: the remaining lineages do not change", "[list][edit]") {
  ListConfig config = Config("SR_");
  const RevisionList list = Parsed(
      "enum R {\n  SR_A, // a\n  SR_B,\n  SR_OLD_RELEASE = SR_B,\n  SR_C = 2,\n  SR_D,\n};\n",
      config);
  const auto before = Lineages(list, 0);
  const auto purged = Purge(list, config, "SR_C");
  REQUIRE(purged.ok());
  CHECK(purged->text == "enum R {\n  SR_C = 2,\n  SR_D,\n};\n");
  CHECK(purged->dropped == std::vector<std::string>{"SR_A", "SR_B"});
  const auto after = Lineages(Parsed(purged->text, config), *LineageFromText(purged->lineage_root));
  REQUIRE(after.size() == 2);
  CHECK(after[0].hash == before[2].hash);
  CHECK(after[1].hash == before[3].hash);
  config.lineage_root = purged->lineage_root;
  const auto again = Purge(Parsed(purged->text, config), config, "SR_C");
  REQUIRE(again.ok());
  CHECK(again->lineage_root == purged->lineage_root);
}

TEST_CASE("a new list can be parsed, appended to, and compiled", "[list][edit]") {
  for (const ListConfig& config :
       {Config("SR_"), Config("SR_", "game::Revision", "SR_LATEST_PLUS_ONE", "SR_CURRENT")}) {
    const std::string text = NewList(config);
    const RevisionList list = Parsed(text, config);
    REQUIRE(list.Latest() != nullptr);
    CHECK(list.Latest()->name == "SR_INITIAL");
    CHECK(text.find("    SR_INITIAL = 1,  // the first\n") != std::string::npos);
    CHECK(AppendDiff(text, config, "SR_COOL_THING", 666, "ae: what it is for")
              .find("+    SR_COOL_THING = 666,  // ae: what it is for\n") != std::string::npos);
  }
}

}  // namespace revctl::list
