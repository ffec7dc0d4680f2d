#include <catch2/catch.hpp>

#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/size_counter.h>

#include "everything.h"

using everything::Everything;

namespace {

struct Floats {
  std::vector<float> f;
  std::vector<double> g;
};
SERIALIZE_TYPE(Floats) {
  ADD(1, f);
  ADD(1, g);
}
SERIALIZE_END

struct Branch {
  std::int32_t number = 0;
  std::vector<Branch> branches;
};
SERIALIZE_TYPE(Branch) {
  ADD(1, number);
  ADD(1, branches);
}
SERIALIZE_END

template <class T>
T FromBits(auto bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class T>
std::vector<std::byte> Payload(const T& value, std::int64_t at) {
  revctl::Writer w(at);
  Serialize(w, value);
  return {w.Bytes().begin(), w.Bytes().end()};
}

template <class T>
revctl::ArchiveError Refusal(std::string_view text) {
  revctl::JsonReader json(text, 4);
  T value{};
  Serialize(json, value);
  CHECK_FALSE(json.Ok());
  return json.error();
}

}  // namespace

TEST_CASE("json: a round trip preserves the bytes at every revision", "[json]") {
  for (const std::int64_t at : {1, 2, 4}) {
    for (std::uint64_t seed = 0; seed < 16; ++seed) {
      const Everything object = revctl::Filled<Everything>(at, seed);
      for (const int indent : {0, 2}) {
        const std::string text = revctl::ToJson(object, at, indent);
        revctl::JsonReader json(text, at);
        Everything back;
        Serialize(json, back);
        INFO(json.error().path << ": " << json.error().reason);
        REQUIRE(json.Ok());
        // Reading JSON runs upgrade code, just as reading bytes does.
        const auto bytes = Payload(object, at);
        revctl::Reader again(bytes, at);
        Everything read;
        Serialize(again, read);
        REQUIRE(Payload(back, at) == Payload(read, at));
      }
    }
  }
}

TEST_CASE("json: a round trip preserves every bit of any float", "[json]") {
  Floats floats;
  std::uint64_t state = 7;
  auto random = [&] { return state = state * 6364136223846793005u + 1442695040888963407u; };
  for (int i = 0; i < 3000; ++i) {
    floats.f.push_back(FromBits<float>(static_cast<std::uint32_t>(random() >> 32)));
    floats.g.push_back(FromBits<double>(random()));
  }
  for (const std::uint32_t bits :
       {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x80000000u, 0x7f800000u, 0xff800000u, 1u}) {
    floats.f.push_back(FromBits<float>(bits));
    floats.g.push_back(FromBits<double>(std::uint64_t{bits} << 32 | 1));
  }
  const std::string text = revctl::ToJson(floats, 1);
  revctl::JsonReader json(text, 1);
  Floats back;
  Serialize(json, back);
  REQUIRE(json.Ok());
  CHECK(Payload(back, 1) == Payload(floats, 1));
}

TEST_CASE("json: a round trip preserves text that is not UTF-8 or begins with NUL", "[json]") {
  for (const std::string& text :
       {std::string("a\xFF\n"), std::string("\0", 1), std::string("\0hex:zz", 7),
        std::string("\xED\xA0\x80"), std::string("\x7F\x01\"\\")}) {
    const std::map<std::string, std::string> map{{text, text}};
    const std::string written = revctl::ToJson(map, 1);
    revctl::JsonReader json(written, 1);
    std::map<std::string, std::string> back;
    Serialize(json, back);
    CHECK(json.Ok());
    CHECK(back == map);
  }
}

TEST_CASE("json: a round trip preserves an enum based on bool", "[json]") {
  enum class Lit : bool { No };
  for (const bool lit : {false, true}) {
    const std::map<std::string, Lit> written{{"lamp", static_cast<Lit>(lit)}};
    const std::string text = revctl::ToJson(written, 1);
    revctl::JsonReader json(text, 1);
    std::map<std::string, Lit> read;
    Serialize(json, read);
    CHECK(json.error().reason == "");
    CHECK(read == written);
  }
}

TEST_CASE("json: accepts text that people have edited", "[json]") {
  const std::string text = R"({"at": {"z": 1e1, "x": 2}, "name": "Zo\u00eb \ud83c\udfb2"})";
  revctl::JsonReader json(text, 1);
  everything::Named named{"before", {7, 8, 9}};
  Serialize(json, named);
  CHECK(json.Ok());
  CHECK(named.name == "Zo\xC3\xAB \xF0\x9F\x8E\xB2");
  CHECK(named.at == everything::Vec3{2, 8, 10});  // y is not in the JSON, so it stays 8
}

TEST_CASE("json: errors name path, line and column", "[json]") {
  auto error = Refusal<everything::Named>("{\"name\": \"x\",\n \"att\": 5}");
  CHECK(error.path == "Named");
  CHECK(error.reason == "unknown member \"att\" (line 2, column 9)");
  CHECK(Refusal<everything::Named>(R"({"at": {"x": "big"}})").path == "Named.at.x");
  CHECK_THAT(Refusal<std::vector<std::uint8_t>>("[1, 256]").reason,
             Catch::StartsWith("\"256\" is not a valid u8"));
  CHECK(Refusal<std::vector<std::uint8_t>>("[1, 256]").path == "vector<u8>[1]");
  CHECK_THAT((Refusal<std::array<int, 2>>("[1]").reason),
             Catch::StartsWith("expected 2 elements, not 1"));
  CHECK_THAT((Refusal<std::map<int, int>>(R"({"1": 2, "1": 3})").reason), Catch::Contains("twice"));
  CHECK_THAT(Refusal<everything::Color>("\"Purple\"").reason,
             Catch::StartsWith("\"Purple\" is not a valid everything::Color"));
  CHECK_THAT((Refusal<std::variant<int, bool>>(R"({"index": 2, "value": 1})").reason),
             Catch::Contains("below 2"));
  CHECK_THAT((Refusal<std::bitset<3>>("\"0120\"").reason), Catch::Contains("3 bits"));
  CHECK_THAT(Refusal<float>("\"1\"").reason, Catch::Contains("is not a valid f32"));
}

TEST_CASE("json: rejects text that violates the grammar", "[json]") {
  for (const char* text :
       {"",    "{",     "[1,]",  "{\"a\":1,}", "01",          "1.",          ".5",     "1e",
        "+1",  "tru",   "\"a",   "\"\\x\"",    "\"\\ud800\"", "\"\\udc00\"", "\"\t\"", "\"\xFF\"",
        "1 2", "[1 2]", "{1:2}", "{\"a\" 1}",  "nul",         "NaN",         "//",     "--1"}) {
    INFO(text);
    CHECK_FALSE(revctl::JsonTree(text).Ok());
    Refusal<everything::Named>(text);
  }
  for (const char* text :
       {"0", "-0", "1.5e-3", " [ ] ", "{}", "\"\\/\\b\\f\"", "[[],{}]", "\"\\ud83c\\udfb2\""}) {
    INFO(text);
    CHECK(revctl::JsonTree(text).Ok());
  }
  CHECK_FALSE(revctl::JsonTree(std::string(100000, '[')).Ok());
  CHECK(revctl::JsonTree(std::string(100000, '[') + std::string(100000, ']')).Ok());
}

TEST_CASE("json: the depth limit is the same as for bytes", "[json]") {
  // In JSON, each level of the tree takes at least two levels. Even so, any tree that can be
  // written can also be read.
  struct Deep {
    static Branch Make(int levels) {
      Branch branch{levels, {}};
      if (levels > 0) branch.branches.push_back(Make(levels - 1));
      return branch;
    }
  };
  for (const int levels : {260, 499}) {
    const std::string text = revctl::ToJson(Deep::Make(levels), 1, 0);
    REQUIRE_FALSE(text.empty());
    revctl::JsonReader json(text, 1);
    Branch back;
    Serialize(json, back);
    INFO(json.error().reason);
    CHECK(json.Ok());
    CHECK(Payload(back, 1) == Payload(Deep::Make(levels), 1));
  }
  CHECK(revctl::ToJson(Deep::Make(501), 1).empty());
  revctl::JsonWriter writer(1, 0);
  writer.limits.depth = 800;
  Serialize(writer, Deep::Make(700));
  REQUIRE(writer.Ok());
  Branch back;
  revctl::JsonReader strict(writer.Text(), 1);
  Serialize(strict, back);
  CHECK(strict.error().reason == "nested deeper than the limit");
  revctl::JsonReader json(writer.Text(), 1);
  json.limits.depth = 800;
  Serialize(json, back);
  CHECK(json.Ok());
}

TEST_CASE("json: a variant has an index, a value and optionally a type, but nothing else",
          "[json]") {
  using Either = std::variant<int, bool>;
  const auto read = [](std::string_view text) {
    revctl::JsonReader json(text, 1);
    Either either;
    Serialize(json, either);
    return json.Ok() ? either : Either(-1);
  };
  CHECK(read(R"({"value": true, "type": "bool", "index": 1})") == Either(true));
  CHECK(read(R"({"value": 5, "index": 0})") == Either(5));
  CHECK_THAT(Refusal<Either>(R"({"index": 0, "value": 1, "valeu": 2})").reason,
             Catch::StartsWith("unknown member \"valeu\""));
  CHECK_THAT(Refusal<Either>(R"({"index": 0, "value": 1, "index": 1})").reason,
             Catch::StartsWith("unknown member \"index\""));
  CHECK_THAT(Refusal<Either>(R"({"index": 0, "value": 1, "value": 2})").reason,
             Catch::StartsWith("unknown member \"value\""));
  CHECK_THAT(Refusal<Either>(R"({"type": 1, "index": 0, "value": 1, "type": 2})").reason,
             Catch::Contains("\"type\""));
}

TEST_CASE("json: mutated text yields a value or an error", "[json][hostile]") {
  const std::string text = revctl::ToJson(revctl::Filled<Everything>(4, 2), 4);
  std::uint64_t state = 3;
  auto random = [&] {
    return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33;
  };
  const std::string_view pieces = "{}[]\",:0129.eE-+tfn\\u \xC3";
  for (int round = 0; round < 2000; ++round) {
    std::string mutated = text;
    for (std::uint64_t n = 1 + random() % 3; n > 0; --n)
      mutated[random() % mutated.size()] = pieces[random() % pieces.size()];
    if (round % 3 == 0) mutated.resize(random() % mutated.size());
    revctl::JsonReader json(mutated, 4);
    Everything object;
    Serialize(json, object);
    if (!json.Ok() && (json.error().path.empty() || json.error().reason.empty()))
      FAIL("an error without a message");
  }
}

TEST_CASE("differ: names the leaves that differ, with both values", "[differ]") {
  everything::Node a, b;
  a.value = 1;
  b.value = 2;
  a.left = std::make_unique<everything::Node>();
  using D = revctl::Difference;
  CHECK(revctl::Differences(a, b, 1) == std::vector<D>{{"Node.value", "1", "2"},
                                                       {"Node.left#present", "1", "0"},
                                                       {"Node.left.value", "0", ""},
                                                       {"Node.left.left#present", "0", ""},
                                                       {"Node.left.right#present", "0", ""}});
  CHECK(revctl::Differences(a, a, 1).empty());
  CHECK(revctl::Differences(std::vector<int>{1}, std::vector<int>{1, 5}, 1) ==
        std::vector<D>{{"vector<i32>#count", "1", "2"}, {"vector<i32>[1]", "", "5"}});
}

TEST_CASE("size counter: counts as many bytes as Writer writes", "[size]") {
  for (const std::int64_t at : {1, 2, 4}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Everything object = revctl::Filled<Everything>(at, seed);
      CHECK(revctl::WireSize(object, at) == Payload(object, at).size());
    }
  }
}

TEST_CASE("json: the budget applies to the parsed tree first", "[json]") {
  // Each two bytes of this text become a much larger JsonNode, even though no field reads the
  // value.
  const std::string text = "{\"nothing\": [" + std::string(100000, ' ') + "0" + [] {
    std::string more;
    for (int i = 0; i < 100000; ++i) more += ",0";
    return more;
  }() + "]}";
  const auto reason = [&](std::size_t budget) {
    std::int32_t value = 0;
    revctl::JsonReader json(text, 1);
    json.limits.budget = budget;
    Serialize(json, value);
    CHECK_FALSE(json.Ok());
    return json.error().reason;
  };
  CHECK_THAT(reason(1 << 20), Catch::Contains("more memory than the reader's budget allows"));
  CHECK_THAT(reason(0), Catch::Contains("expected i32"));
  CHECK_FALSE(revctl::JsonTree("[1, 2]", 2 * sizeof(revctl::JsonNode)).Ok());
  CHECK(revctl::JsonTree("[1, 2]", 3 * sizeof(revctl::JsonNode)).Ok());
}

namespace {

struct Proud {
  std::vector<std::int32_t> medals;
  std::int32_t last = 0;
};
SERIALIZE_TYPE(Proud) {
  ADD(1, medals);
  if (d.medals.empty()) r.Fail("no medals");
  ADD(1, last);
}
SERIALIZE_END

}  // namespace

TEST_CASE("differ: an object that cannot be written is a difference", "[differ]") {
  using D = revctl::Difference;
  const Proud fine{{1}, 2}, poor{};
  CHECK(revctl::Differences(poor, poor, 1) ==
        std::vector<D>{{"Proud#refused", "no medals", ""}, {"Proud#refused", "", "no medals"}});
  const auto differences = revctl::Differences(fine, poor, 1);
  REQUIRE(differences.size() >= 2);
  CHECK(differences.front() == D{"Proud.medals#count", "1", "0"});
  CHECK(differences.back() == D{"Proud#refused", "", "no medals"});
  // WireSize() returns no size for a rejected object, even though it counted some bytes before the
  // rejection.
  CHECK(revctl::WireSize(fine, 1) == 4 + 4 + 4);
  CHECK_FALSE(revctl::WireSize(poor, 1).has_value());
}
