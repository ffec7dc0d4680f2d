// Tests with lists of real programs: the right enum must be recognized as the list, and its entries
// must be classified correctly.
#include "revctl/list/reading/guess.h"

#include <catch2/catch.hpp>

using namespace revctl;

namespace {

/// Returns the most likely enum of `text` and its config on one line, or "nothing".
std::string Guessed(std::string_view text, std::string_view path = "src/save.h") {
  auto guesses = list::GuessLists(text, {}, true, path);
  if (guesses.empty()) return "nothing";
  const list::Guess& best = guesses.front();
  if (best.likeness < list::kLikelyList) return "unlikely " + best.enum_name;
  std::string out = best.enum_name + " '" + best.config.prefix + "'";
  for (const std::string& alias : best.config.aliases) out += " alias " + alias;
  if (!best.config.sentinel.empty()) out += " sentinel " + best.config.sentinel;
  if (!best.config.current.empty()) out += " current " + best.config.current;
  const auto revisions = best.list.Revisions();
  return out + " oldest " + best.config.oldest + ": " + std::to_string(revisions.size()) +
         ", latest " + revisions.back()->name + " = " + std::to_string(revisions.back()->number);
}

}  // namespace

TEST_CASE("guess: lists of real programs are recognized", "[guess]") {
  // Crawl: the sentinel is a count without the prefix, and another entry is defined as the sentinel
  // minus one.
  CHECK(Guessed("enum tag_minor_version {\n  TAG_MINOR_INVALID = -1,\n  TAG_MINOR_RESET = 0,\n"
                "  TAG_MINOR_ONE,\n  TAG_MINOR_TWO,\n  NUM_TAG_MINORS,\n"
                "  TAG_MINOR_VERSION = NUM_TAG_MINORS - 1\n};\n") ==
        "tag_minor_version 'TAG_MINOR_' alias TAG_MINOR_INVALID sentinel NUM_TAG_MINORS current "
        "TAG_MINOR_VERSION oldest TAG_MINOR_RESET: 3, latest TAG_MINOR_TWO = 2");
  // VCMI: there is no prefix, the first number is the oldest readable revision, and releases have
  // aliases.
  CHECK(Guessed("enum class ESerializationVersion : int32_t {\n  NONE = 0,\n\n  MINIMAL = 831,\n"
                "  RELEASE_143, // 832 text\n  HAS_HEROES, // 833\n  SIMPLE_TURNS, // 834\n\n"
                "  RELEASE_150 = SIMPLE_TURNS,\n  CURRENT = SIMPLE_TURNS\n};\n") ==
        "ESerializationVersion '' alias NONE current CURRENT oldest MINIMAL: 4, latest "
        "SIMPLE_TURNS = 834");
  // OpenTTD: the entries for the oldest and latest version lack the prefix.
  CHECK(Guessed("enum SaveLoadVersion : uint16_t {\n  SL_MIN_VERSION,\n  SLV_1, ///< 1.0\n"
                "  SLV_2, ///< 2.0\n  SLV_START_YEAR, ///< 3\n  SLV_ROADS, ///< 4\n"
                "  SL_MAX_VERSION, ///< highest\n};\n") ==
        "SaveLoadVersion 'SLV_' sentinel SL_MAX_VERSION oldest SLV_1: 4, latest SLV_ROADS = 4");
  // fheroes2: the newest revision comes first, and the aliases for the newest and oldest revision
  // are at the bottom.
  CHECK(Guessed(
            "enum SaveFileFormat : uint16_t {\n  FORMAT_VERSION_1110_RELEASE = 10032,\n"
            "  FORMAT_VERSION_PRE1_1110_RELEASE = 10031,\n  FORMAT_VERSION_1109_RELEASE = 10030,\n"
            "  LAST_SUPPORTED_FORMAT_VERSION = FORMAT_VERSION_1109_RELEASE,\n"
            "  CURRENT_FORMAT_VERSION = FORMAT_VERSION_1110_RELEASE\n};\n") ==
        "SaveFileFormat 'FORMAT_VERSION_' current CURRENT_FORMAT_VERSION oldest "
        "FORMAT_VERSION_1109_RELEASE: 3, latest FORMAT_VERSION_1110_RELEASE = 10032");
  // AGS: the numbers have gaps, 0 means undefined, and an alias names the oldest readable revision.
  CHECK(Guessed("enum GameDataVersion {\n  kGameVersion_Undefined = 0,\n  kGameVersion_250 = 18,\n"
                "  kGameVersion_254 = 20,\n  kGameVersion_3060011 = 3060011,\n"
                "  kGameVersion_LowSupported = kGameVersion_254,\n"
                "  kGameVersion_Current = kGameVersion_3060011\n};\n") ==
        "GameDataVersion 'kGameVersion_' alias kGameVersion_Undefined current kGameVersion_Current "
        "oldest kGameVersion_254: 3, latest kGameVersion_3060011 = 3060011");
  // Unreal: the enum is in a struct with the list's name, and has an entry above the latest.
  CHECK(Guessed("struct FGameCustomVersion {\n  enum Type {\n    // Before any change\n"
                "    BeforeCustomVersionWasAdded = 0,\n    AddedBossPhases,\n"
                "    // -----<new versions can be added above this line>-----\n"
                "    VersionPlusOne,\n    LatestVersion = VersionPlusOne - 1\n  };\n};\n") ==
        "FGameCustomVersion::Type '' sentinel VersionPlusOne current LatestVersion oldest "
        "BeforeCustomVersionWasAdded: 2, latest AddedBossPhases = 1");
  CHECK(Guessed("enum { SR_A = 1, SR_B, SR_LATEST_PLUS_ONE };\n") ==
        " 'SR_' sentinel SR_LATEST_PLUS_ONE oldest SR_A: 2, latest SR_B = 2");
  CHECK(Guessed("namespace game {\nenum { SR_A = 1, SR_B };\n}\n") ==
        " 'SR_' oldest SR_A: 2, latest SR_B = 2");
}

TEST_CASE("guess: enums that are not lists are not proposed", "[guess]") {
  CHECK(Guessed("enum class Colour { Red, Green, Blue, Count };\n") == "unlikely Colour");
  CHECK(Guessed("enum VersionFlags { A = 1, B = 2, C = 4, D = 8 };\n") == "unlikely VersionFlags");
  CHECK(Guessed("enum class Version;\nenum Empty {};\nenum { };\n") == "nothing");
  CHECK(Guessed("#define E(x) x = __LINE__\nenum class Version { E(A), E(B) };\n") == "nothing");
  // If a file has several enums, the one about versions is chosen.
  CHECK(Guessed("enum Kind { NONE, MAX };\nenum class Version { One = 1, Two, Current = Two };\n")
            .starts_with("Version '' current Current oldest One: 2"));
}
