// Tests conditions, names, parsed wire types, and the changelog. The tests in
// kaitai_test/ check that programs in other languages can read the files.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "harness/schema/condition.h"
#include "harness/schema/expression.h"
#include "harness/schema/kaitai.h"
#include "harness/schema/operands.h"
#include "harness/schema/schema.h"

namespace revctl::harness {
namespace {

revctl::LayoutField Field(const char* name, const char* type, const char* form = "add") {
  revctl::LayoutField field;
  field.name = name;
  field.type = type;
  field.form = form;
  field.since = "SR_INITIAL";
  return field;
}

const revctl::ListEntry kEntries[] = {{"SR_INITIAL", 1, 0x11}, {"SR_FOULS", 2, 0x22}};
const revctl::ListTable kList{"main", kEntries, 1};

/// Returns a schema whose record has a field of each kind that conditions can use, and a field with
/// the given condition.
Schema Everything(const char* condition = "") {
  Schema schema;
  revctl::TypeLayout base{"Base", {Field("id", "u16")}, {}};
  revctl::TypeLayout all{
      "game::All",
      {Field("Base", "Base", "base"), Field("hp", "i32"), Field("small", "u8"), Field("big", "u32"),
       Field("alive", "bool"), Field("mood", "game::Mood"), Field("name", "string"),
       Field("things", "vector<Base>"), Field("boss", "optional<Base>"), Field("pos", "Base"),
       Field("fouls", "i32", "rem"), Field("speed", "f32")},
      {}};
  if (*condition != '\0') {
    all.fields.push_back(Field("extra", "i32", "add_conditional"));
    all.fields.back().condition = condition;
    all.fields.back().always = false;
    all.fields.push_back(Field("later", "i32"));
  }
  schema.types["Base"].layout = base;
  schema.types["game::All"].layout = all;
  schema.enums["game::Mood"] = {"game::Mood", "u8", {{"Calm", 0}, {"Wild", 5}}};
  return schema;
}

KaitaiResult Kaitai(const Schema& schema) {
  return KaitaiText(schema, {"game::All", &kList, &kEntries[1]});
}

/// Returns the `if` key of the conditional field, or the problem if its condition cannot be
/// translated.
std::string Translated(const char* condition) {
  const KaitaiResult result = Kaitai(Everything(condition));
  if (!result.problems.empty()) return result.problems.front();
  const auto begin = result.text.find("if: \"(", result.text.find("id: extra"));
  REQUIRE(begin != std::string::npos);
  return result.text.substr(begin + 5, result.text.find("\"}", begin) - begin - 5);
}

}  // namespace

TEST_CASE("schema: translates conditions to Kaitai Struct", "[harness][schema]") {
  CHECK(Translated("d.hp >= 0") == "(hp >= 0)");
  CHECK(Translated("t->hp != -1") == "(hp != -1)");
  CHECK(Translated("d.hp") == "(hp != 0)");
  CHECK(Translated("!d.alive") == "(not (alive != 0))");
  CHECK(Translated("d.alive == true") == "(alive == 1)");
  CHECK(Translated("d.hp > 1 && (d.small < 3 || d.alive)") ==
        "((hp > 1) and ((small < 3) or (alive != 0)))");
  CHECK(Translated("d.mood == Mood::Wild") == "(mood == game_mood::wild)");
  CHECK(Translated("d.mood >= game::Mood::Wild") == "(mood.to_i >= game_mood::wild.to_i)");
  CHECK(Translated("(d.small & 0x04) != 0") == "((small & 4) != 0)");
  CHECK(Translated("d.small & 4") == "((small & 4) != 0)");
  CHECK(Translated("d.small + 1 > 5") == "((small + 1) > 5)");
  CHECK(Translated("d.small - 7 < 0") == "((small - 7) < 0)");
  CHECK(Translated("(d.small | 1) == 7") == "((small | 1) == 7)");
  CHECK(Translated("(d.small ^ 6) == 0") == "((small ^ 6) == 0)");
  CHECK(Translated("d.hp <= - -1") == "(hp <= 1)");
  CHECK(Translated("(d.hp > 1) == d.alive") == "(((hp > 1) ? 1 : 0) == alive)");
  CHECK(Translated("d.name == \"Zoe\"") == "(name.text == \\\"Zoe\\\")");
  CHECK(Translated("!d.things.empty() && d.name.size() < 20u") ==
        "((not (things.count == 0)) and (name.count < 20))");
  CHECK(Translated("d.boss.has_value()") == "(boss.present != 0)");
  CHECK(Translated("d.pos.id == 7 && d.id != 3") == "((pos.id == 7) and (base.id != 3))");
  CHECK(Translated("fouls > 0") == "(fouls > 0)");
  CHECK(Translated("r.revision >= SR_FOULS") == "(2 >= 2)");
  CHECK(Translated("d.speed > 0.5f") == "(speed > 0.5)");
}

TEST_CASE("schema: evaluates conditions", "[harness][schema]") {
  const auto number = [](std::int64_t value) {
    ReadValue out;
    out.bits = static_cast<std::uint64_t>(value);
    out.negative = value < 0;
    return out;
  };
  ReadValue text, speed, huge;
  text.kind = ReadValue::Kind::Text;
  text.text = "Zoe";
  speed.kind = ReadValue::Kind::Real;
  speed.real = 0.75;
  huge.bits = ~std::uint64_t{0};
  const std::map<std::string, ReadValue> values = {
      {"hp", number(-2)},        {"small", number(6)},        {"big", huge},
      {"alive", number(1)},      {"mood", number(5)},         {"name.text", text},
      {"name.count", number(3)}, {"things.count", number(0)}, {"boss.present", number(1)},
      {"pos.id", number(7)},     {"base.id", number(3)},      {"fouls", number(0)},
      {"speed", speed}};
  const Schema schema = Everything("d.hp");
  NameScope enums;
  Operands operands(schema, kList, 2, enums);
  const auto& fields = schema.types.at("game::All").layout.fields;
  const auto parsed = [&](const std::string& condition) {
    std::string why;
    auto expression = ParseCondition(condition, operands.NamesFor("game::All", fields, 12), why);
    INFO(condition << ": " << why);
    REQUIRE(expression);
    return *std::move(expression);
  };
  const auto decide = [&](const std::string& condition) {
    const auto decided = Decide(parsed(condition), values);
    INFO(condition);
    REQUIRE(decided);
    return *decided;
  };
  for (const char* condition : {"d.hp < 0",
                                "d.hp",
                                "d.hp == -2",
                                "d.hp <= -2",
                                "(d.hp < 1) == d.alive",
                                "d.big > 5u",
                                "d.mood == Mood::Wild",
                                "d.mood >= game::Mood::Wild",
                                "(d.small & 0x04) != 0",
                                "d.small & 2",
                                "(d.small ^ 6) == 0",
                                "(d.small | 1) == 7",
                                "d.small + 1 > 6",
                                "d.small - 7 < 0",
                                "d.alive == true",
                                "d.things.empty() && d.name.size() < 20u",
                                "d.name == \"Zoe\"",
                                "d.boss.has_value()",
                                "d.pos.id == 7 && d.id == 3",
                                "r.revision >= SR_FOULS",
                                "d.speed > 0.5f",
                                "d.speed < 1",
                                "!(d.hp > 1) || d.things.size() > 0",
                                "!fouls"}) {
    CHECK(decide(condition));
    CHECK_FALSE(decide("!(" + std::string(condition) + ")"));
  }
  // If the left side determines the result, the right side must not be evaluated.
  const auto missing = [&](const char* condition) {
    return Decide(parsed(condition), {{"hp", number(-2)}});
  };
  CHECK(missing("d.hp < 0 || d.small == 1") == true);
  CHECK(missing("d.hp > 0 && d.small == 1") == false);
  CHECK_FALSE(missing("d.hp < 0 && d.small == 1").has_value());
  // A string literal with an escape cannot be evaluated.
  CHECK_FALSE(Decide(parsed("d.name == \"a\\n\""), values).has_value());
  CHECK(Decide(parsed("d.hp > 0 && d.name == \"a\\n\""), values) == false);
  std::set<std::string> names;
  AddNames(parsed("d.pos.id == 1 && !d.things.empty()"), names);
  CHECK(names == std::set<std::string>{"pos.id", "things.count"});
}

TEST_CASE("schema: rejects conditions that only C++ defines", "[harness][schema]") {
  for (const char* condition : {"Lucky(d.hp)",
                                "d.later > 0",
                                "d.hp * 2 > 5",
                                "d.hp / 2 == 1",
                                "d.hp + 1 > 5",
                                "d.big > d.hp",
                                "d.big > -1",
                                "d.small & 4 == 4",
                                "d.hp == d.small & 4",
                                "hp > 0",
                                "d.nobody",
                                "d.things[0].id",
                                "d.hp > 0 ? true : false",
                                "d.mood",
                                "r.IsReading()",
                                "d.name > 3",
                                "d.pos",
                                "d.hp >",
                                "(d.hp",
                                "d.hp)",
                                "d.hp d.small",
                                "!",
                                "d.hp == 1x",
                                "d.speed > 1.2.3",
                                "d.mood == Color::Red",
                                "d.small < -1u",
                                "d.small - 7u < 0",
                                "\"unfinished"}) {
    INFO(condition);
    const std::string told = Translated(condition);
    CHECK(told.find("game::All.extra: its condition `" + std::string(condition) + "`") == 0);
  }
  // A field that depends on a branch in the body has no condition to translate.
  Schema schema = Everything("d.hp > 0");
  schema.types["game::All"].layout.fields[12].condition.clear();
  CHECK(Kaitai(schema).problems.front().find(
            "game::All.extra: it depends on a branch in the body") == 0);
  schema.types["game::All"].layout.fields[12] = Field("shape", "unique_ptr<polymorphic<Shape>>");
  CHECK(Kaitai(schema).problems.front().find("game::All.shape: contains the polymorphic class ") ==
        0);
}

TEST_CASE("schema: names are valid in Kaitai Struct and unique", "[harness][schema]") {
  CHECK(LowerSnake("p1Score") == "p1_score");
  CHECK(LowerSnake("HTTPPort") == "http_port");
  CHECK(LowerSnake("map<string,game::Mood>") == "map_string_game_mood");
  CHECK(LowerSnake("_") == "value");
  CHECK(LowerSnake("1st") == "n1st");
  NameScope scope;
  CHECK(scope.Of("aB") == "a_b");
  CHECK(scope.Of("a_b") == "a_b_2");
  CHECK(scope.Of("aB") == "a_b");
}

TEST_CASE("schema: parses wire types", "[harness][schema]") {
  const Schema schema = Everything();
  std::string unknown;
  const auto tree =
      ParseWire("map<string,variant<i32,array<optional<Base>,3>,game::Mood>>", schema, unknown);
  REQUIRE(tree);
  CHECK(tree->kind == WireTree::Kind::Map);
  CHECK(tree->parts[1].parts[1].count == 3);
  CHECK(tree->parts[1].parts[1].parts[0].name == "optional<Base>");
  CHECK(tree->parts[1].parts[2].kind == WireTree::Kind::Enum);
  for (const char* wrong :
       {"Nobody", "vector<Nobody>", "array<i32,x>", "vector<", "", "map<>", "bitset<>", "map<i32>",
        "array<3>", "vector<i32,i32>", "bitset<i32,8>", "map<i32,i32,i32>"}) {
    INFO(wrong);
    CHECK_FALSE(ParseWire(wrong, schema, unknown));
  }
}

TEST_CASE("schema: hostile layouts and conditions are rejected", "[harness][schema]") {
  Schema schema = Everything();
  const auto nested = [](std::size_t levels) {
    std::string wire;
    for (std::size_t i = 0; i < levels; ++i) wire += "vector<";
    return wire + "i32" + std::string(levels, '>');
  };
  std::string unknown;
  CHECK(ParseWire(nested(64), schema, unknown));
  CHECK_FALSE(ParseWire(nested(65), schema, unknown));
  CHECK_FALSE(ParseWire(nested(100000), schema, unknown));
  const auto open = [](std::size_t levels) {
    return std::string(levels, '(') + "d.hp" + std::string(levels, ')');
  };
  CHECK(Translated(open(10).c_str()) == "(hp != 0)");
  std::string many = "1";
  for (int i = 0; i < 1000; ++i) many += "|1";
  CHECK_THAT(Translated(many.c_str()), Catch::StartsWith("((((") && Catch::EndsWith("| 1) != 0)"));
  CHECK_THAT(Translated(open(1000).c_str()), Catch::Contains("it is nested too deeply"));
  CHECK_THAT(Translated(open(100000).c_str()), Catch::Contains("it is longer than 2048 bytes"));
  // A malformed class that lists itself as a base class twice must not cause endless recursion.
  auto& base = schema.types["Base"].layout.fields;
  base.insert(base.begin(), 2, Field("Base", "Base", "base"));
  NameScope enums;
  Operands operands(schema, kList, 2, enums);
  const Names names = operands.NamesFor("Base", base, base.size());
  std::string why;
  CHECK_FALSE(names.member(nullptr, "missing", why));
  CHECK_FALSE(ParseCondition("", names, why));
}

TEST_CASE("schema: the changelog of layouts has every kind of change", "[harness][schema]") {
  Schema from = Everything(), to = Everything();
  auto& fields = to.types["game::All"].layout.fields;
  fields[1].type = "i64";            // hp
  std::swap(fields[2], fields[3]);   // small, big
  fields.erase(fields.begin() + 6);  // name
  fields.push_back(Field("extra", "i32"));
  to.enums["game::Mood"].enumerators.emplace_back("Asleep", 6);
  to.types["New"].layout = {"New", {Field("x", "u8")}, {}};
  from.types["Old"].layout = {"Old", {}, {}};
  std::set<std::string> seen;
  for (const SchemaChange& change : CompareSchemas(from, to)) {
    seen.insert(std::string(change.kind == SchemaChange::Kind::Added     ? "+"
                            : change.kind == SchemaChange::Kind::Removed ? "-"
                                                                         : "~") +
                change.type + "." + change.field);
  }
  CHECK(seen == std::set<std::string>{"+New.", "+New.x", "-Old.", "-game::All.name",
                                      "+game::All.extra", "~game::All.hp", "~game::All.(order)",
                                      "+game::Mood.Asleep"});
  CHECK(CompareSchemas(from, from).empty());
  const std::string json = base::JsonText(ChangesJson(CompareSchemas(from, to)));
  CHECK(json.find("{\"change\":\"added\",\"type\":\"game::Mood\",\"field\":\"Asleep\",\"before\":"
                  "\"\",\"after\":\"Asleep = 6\"}") != std::string::npos);
}

}  // namespace revctl::harness
