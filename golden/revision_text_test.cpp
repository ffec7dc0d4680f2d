#include "golden/revision_record.h"

#include <yaml-cpp/yaml.h>

#include <catch2/catch.hpp>
#include <functional>

#include "golden/merge.h"
#include "golden/revision_record.h"

using revctl::golden::Apply;
using revctl::golden::Compare;
using revctl::golden::FormatRecord;
using revctl::golden::Leaf;
using revctl::golden::ParseRecord;
using revctl::golden::RevisionRecord;

namespace {

RevisionRecord Example() {
  RevisionRecord record;
  record.revision = "SR_FOULS";
  record.number = 2;
  record.lineage = 0x0123456789abcdef;
  record.previous = "SR_INITIAL";
  record.behind = {"SR_OLD", "SR_INITIAL"};
  record.pending = {{"SR_FOULS", 2}, {"True", 3}};
  record.provenance = {"record", "SR_FOULS", "g++ 12.2.0", "0.1.0", 1};
  revctl::golden::RecordedType score;
  score.layout = {"game::Score",
                  {{"p1Score", "i32", 4, "add", "SR_INITIAL", "", 1, 0, "", "", true, "", 0},
                   {"names", "map<string,i32>", 0, "add_conditional", "SR_FOULS", "", 2, 0,
                    "d.x > 0 && \"a\"", "", false, "", 0},
                   {"", "u8", 1, "plain", "", "", 0, 0, "", "", true, "", 0},
                   {"flags", "bytes<1>", 1, "add", "SR_FOULS", "", 2, 0, "", "", true, "", 0, "",
                    false, "Flags{open:1, kind:7}"}},
                  {1, 2}};
  score.removed = {{"old", "string", 0, "rem", "SR_A", "SR_B", -3, 1, "", "\"x, y\"", true, "", 0}};
  record.types = {score};
  record.enums = {{"Color", "u8", {{"RED", 0}, {"GREEN", -7}}}};
  record.cases = {
      {"game::Score",
       "auto-1",
       0xfeedull,
       12,
       {{"p1Score", "-7"},
        {"names[\"a b\"]", "\"\\\"q\\\" \\n é\""},
        {"flag", "true"},
        {"text", "\"12\""}},
       {{"p1Score", "-7", "-9"}, {"flag", "true", std::nullopt}, {"new", std::nullopt, "\"\""}}},
      {"game::Score", "two words", 1, 0, {}, {}}};
  record.versions = {{"game::Score", 4, 2, true}, {"Timer", 0, 1, false}};
  record.upgrades = {
      {"game::Score", {"SR_INITIAL/auto-1", "SR_INITIAL/two words"}, {{"p1Score", "1", "2"}}}};
  record.files = {
      {"game::Score", 0xabcd, 500, 0, {std::byte{0x52}, std::byte{0}, std::byte{0xFF}}}};
  return record;
}

}  // namespace

TEST_CASE("record: round-trips through text, which is valid YAML", "[golden][record]") {
  const RevisionRecord record = Example();
  const std::string text = FormatRecord(record);
  const auto back = ParseRecord(text, "f");
  if (!back.ok()) FAIL(back.error().message << " in line " << back.error().line << "\n" << text);
  CHECK(back->revision == record.revision);
  CHECK(back->number == record.number);
  CHECK(back->lineage == record.lineage);
  CHECK(back->previous == "SR_INITIAL");
  CHECK(back->behind == record.behind);
  CHECK(back->pending == record.pending);
  CHECK(back->provenance == record.provenance);
  CHECK(back->types == record.types);
  CHECK(back->enums == record.enums);
  CHECK(back->cases == record.cases);
  CHECK(back->versions == record.versions);
  CHECK(back->upgrades == record.upgrades);
  CHECK(back->files == record.files);
  CHECK(FormatRecord(*back) == text);

  const YAML::Node yaml = YAML::Load(text);
  CHECK(yaml["cases"][0]["values"]["p1Score"].as<int>() == -7);
  CHECK(yaml["cases"][0]["values"]["names[\"a b\"]"].as<std::string>() == "\"q\" \n é");
  CHECK(yaml["types"][0]["fields"][1]["condition"].as<std::string>() == "d.x > 0 && \"a\"");
}

TEST_CASE("record: errors report their line", "[golden][record]") {
  const std::string good = FormatRecord(Example());
  const auto broken = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    text.replace(at, from.size(), to);
    const auto record = ParseRecord(text, "f");
    REQUIRE_FALSE(record.ok());
    CHECK(record.error().line > 0);
    return record.error().message;
  };
  CHECK_THAT(broken("version: 1", "version: 2"), Catch::Contains("version 2"));
  // The fix suggests updating revctl, because restoring an older version of the file would not
  // help.
  CHECK_THAT(ParseRecord("version: 2\nshape: {}\n", "f").error().fix,
             Catch::StartsWith("update revctl"));
  CHECK(ParseRecord("version: one\n", "f").error().fix.empty());
  CHECK_THAT(broken("number: 2", "number: 2\nnumbers: 3"),
             Catch::Contains("unknown key `numbers`"));
  CHECK_THAT(broken("number: 2", "number: 99999999999999999999"),
             Catch::Contains("is not a number, or is out of range"));
  CHECK_THAT(broken("revision: SR_FOULS", "revision: ../SR_FOULS"),
             Catch::Contains("not a revision name"));
  CHECK_THAT(broken("previous: SR_INITIAL", "previous: a/b"),
             Catch::Contains("not a revision name"));
  CHECK_THAT(broken("pending: {SR_FOULS: 2", "pending: {a/b: 2"),
             Catch::Contains("not a revision name"));
  CHECK_THAT(broken("pending: {SR_FOULS: 2", "pending: {SR_FOULS: two"),
             Catch::Contains("is not a number, or is out of range"));
  CHECK_THAT(broken("behind: [SR_OLD", "behind: [a/b"), Catch::Contains("not a revision name"));
  CHECK_THAT(broken("lineage: \"0123456789abcdef\"", "lineage: \"0123\""),
             Catch::Contains("16 hex digits"));
  CHECK_THAT(broken("always: false", "always: maybe"), Catch::Contains("true or false"));
  CHECK_THAT(broken("number: 2\n", ""), Catch::Contains("`number` is missing"));
  CHECK_THAT(broken("p1Score: [-7, -9]", "p1Score: [-7]"), Catch::Contains("[before, after]"));
  CHECK_THAT(broken("size: 12", "size: -12"), Catch::Contains("is not a number"));
  CHECK_THAT(broken("at: 4, size: 2", "at: 4, size: 3"), Catch::Contains("1, 2, 4 or 8"));
  CHECK_THAT(broken("order: big", "order: middle"), Catch::Contains("`order` must be `big`"));
  CHECK_THAT(broken("p1Score: -7\n", "p1Score:\n"), Catch::Contains("missing"));
}

TEST_CASE("record: truncated input is an error or a record", "[golden][record]") {
  const std::string good = FormatRecord(Example());
  for (std::size_t length = 0; length < good.size(); ++length) {
    (void)ParseRecord(std::string_view(good).substr(0, length), "f").ok();
  }
  CHECK_FALSE(ParseRecord("", "f").ok());
}

TEST_CASE("record: large hostile records are read in linear time", "[golden][record]") {
  // A quadratic parser would take minutes for each of these inputs.
  constexpr int kCount = 10'000;
  RevisionRecord large = Example();
  for (int i = 0; i < kCount; ++i) {
    revctl::golden::Case one = large.cases[1];
    one.name = "case " + std::to_string(i);
    large.cases.push_back(one);
    large.types[0].layout.fields.push_back(large.types[0].layout.fields[0]);
    large.types[0].layout.fields.back().name = "f" + std::to_string(i);
    large.pending.emplace_back("SR_N" + std::to_string(i), i);
  }
  const std::string text = FormatRecord(large);
  CHECK(ParseRecord(text, "f").ok());
  const auto kept = revctl::golden::Merge({revctl::golden::FileName::Kind::Record, "SR_FOULS", ""},
                                          {"", text, text + "\n", std::nullopt});
  CHECK(kept != revctl::golden::Kept::Neither);
  for (const std::string one : {"k: v\n", "- - - x\n", "a: [", "# note\n", "\"\\x41", "types:\n"}) {
    std::string hostile;
    for (int i = 0; i < 10 * kCount; ++i) hostile += one;
    CHECK_FALSE(ParseRecord(hostile, "f").ok());
  }
}

TEST_CASE("changes: Apply makes the changes that Compare found", "[golden][record]") {
  const std::vector<Leaf> before = {{"a", "1"}, {"b", "2"}, {"c", "3"}};
  const std::vector<Leaf> after = {{"a", "1"}, {"c", "4"}, {"d", "5"}};
  const auto changes = Compare(before, after);
  REQUIRE(changes.size() == 3);
  std::vector<Leaf> leaves = before;
  Apply(changes, leaves);
  CHECK(leaves == after);
  CHECK(Compare(after, leaves).empty());
}

TEST_CASE("canonical text: survives a round trip through a record", "[golden][record]") {
  for (const char* text :
       {"1", "-1.5e+30", "true", "\"x\"", "\"\\u00e9 \\n\"", "{}", "~", "null", "\"\"", "a b"}) {
    const std::string canonical = revctl::golden::CanonicalText(text);
    CHECK(revctl::golden::CanonicalText(canonical) == canonical);
    RevisionRecord record = Example();
    record.cases[0].values = {{"v", canonical}};
    CHECK(ParseRecord(FormatRecord(record), "f")->cases[0].values[0].text == canonical);
  }
}

TEST_CASE("record: YAML 1.1 and 1.2 readers get the same values", "[golden][record]") {
  RevisionRecord record = Example();
  record.cases[0].name = "007";
  record.cases[1].name = "true";
  record.cases[0].values = {
      {"nel", revctl::golden::CanonicalText(
                  "\"\xC2\x85\xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF\xC2\x9F\xC2\xA0\"")},
      {"zero", "-0"},
      {"least", "1e-45"},
      {"most", "-3.4e+38"},
      {"word", "e5"}};
  const std::string text = FormatRecord(record);
  for (const char* line :
       {"name: \"007\"", "name: \"true\"", "nel: \"\\u0085\\u2028\\u2029\\ufeff\\u009f\xC2\xA0\"",
        "zero: -0.0\n", "least: 1.0e-45\n", "most: -3.4e+38\n", "word: e5\n"})
    CHECK_THAT(text, Catch::Contains(line));
  const auto back = ParseRecord(text, "f");
  REQUIRE(back.ok());
  CHECK(back->cases == record.cases);
  CHECK(FormatRecord(*back) == text);
  // A hand-edited file may contain shorter spellings, which must parse to the same values.
  std::string old = text;
  for (const auto& [now, then] :
       {std::pair("-0.0", "-0"), std::pair("1.0e-45", "1e-45"), std::pair("\\u0085", "\xC2\x85")})
    old.replace(old.find(now), std::string(now).size(), then);
  CHECK(ParseRecord(old, "f")->cases == record.cases);
}

TEST_CASE("record: words with a special meaning in YAML 1.1 are quoted", "[golden][record]") {
  RevisionRecord record = Example();
  record.revision = "No";
  record.previous = "NULL";
  record.enums[0].enumerators = {{"True", 0}, {"yes", 1}, {"Null", 2}, {"Truest", 3}};
  record.cases[0].values = {{"y", revctl::golden::CanonicalText("True")},
                            {"answer", revctl::golden::CanonicalText("yes")},
                            {"True", "true"},
                            {"best", revctl::golden::CanonicalText("Truest")}};
  const std::string text = FormatRecord(record);
  for (const char* line : {"revision: \"No\"\n", "previous: \"NULL\"\n", "\"True\": 0\n",
                           "\"yes\": 1\n", "\"Null\": 2\n", "Truest: 3\n", "\"y\": \"True\"\n",
                           "answer: \"yes\"\n", "\"True\": true\n", "best: Truest\n"})
    CHECK_THAT(text, Catch::Contains(line));
  const auto back = ParseRecord(text, "f");
  REQUIRE(back.ok());
  CHECK(back->revision == "No");
  CHECK(back->enums == record.enums);
  CHECK(back->cases == record.cases);
}
