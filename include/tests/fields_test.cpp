#include <revctl/fields.h>
#include <revctl/json_reader.h>
#include <revctl/serialize.h>

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

// Tests that a single list of fields can replace a struct definition, its Serialize, its operator==
// and its printer.

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS, SR_PLAYERS, SR_NO_FOULS, SR_LATEST = SR_NO_FOULS };

#define PLAYER(ADD_TYPED, REM)                       \
  ADD_TYPED(SR_INITIAL, std::string, name, "nobody") \
  ADD_TYPED(SR_INITIAL, float, height, 1.5f, UNIT(metres), RANGE(0, (2 + 1)))
DEFINE_STRUCT(Player, PLAYER);
SERIALIZE_TYPE(Player) { ADD_FIELDS(PLAYER); }
SERIALIZE_END
DESCRIBE_FIELDS(Player, PLAYER);

#define SCORE(ADD_TYPED, REM)                             \
  ADD_TYPED(SR_INITIAL, std::int32_t, p1Score, 0)         \
  ADD_TYPED(SR_INITIAL, std::int32_t, p2Score, 7)         \
  REM(SR_FOULS, SR_NO_FOULS, std::int32_t, p1Fouls, 0)    \
  ADD_TYPED(SR_PLAYERS, std::vector<Player>, players, {}) \
  ADD_TYPED(SR_PLAYERS, std::string, secret, "s", NO_PRINT)
DEFINE_STRUCT(Score, SCORE);
SERIALIZE_TYPE(Score) {
  ADD_FIELDS(SCORE);
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1Score -= p1Fouls;
}
SERIALIZE_END
DESCRIBE_FIELDS(Score, SCORE);

#define FIELDS_TYPE FileScore
#define FIELDS_FILE "include/tests/score_fields.def"
#define FIELDS_UPGRADE \
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1Score -= p1Fouls;
#include <revctl/fields_file.inc>

struct ByHand {
  std::int32_t p1Score = 0, p2Score = 7;
  std::vector<Player> players;
  std::string secret = "s";
};
SERIALIZE_TYPE(ByHand) {
  ADD(SR_INITIAL, p1Score);
  ADD(SR_INITIAL, p2Score);
  REM(SR_FOULS, SR_NO_FOULS, std::int32_t, p1Fouls, 0);
  ADD(SR_PLAYERS, players);
  ADD(SR_PLAYERS, secret);
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1Score -= p1Fouls;
}
SERIALIZE_END

template <class T>
std::vector<std::byte> Bytes(std::int64_t at) {
  T value;
  value.p1Score = 41;
  value.players.push_back({"ann", 1.75f});
  revctl::Writer w(at);
  Serialize(w, value);
  return {w.Bytes().begin(), w.Bytes().end()};
}

template <class T>
std::int32_t UpgradedScore() {
  auto bytes = Bytes<T>(SR_FOULS);
  bytes[8] = std::byte{2};
  revctl::Reader r(bytes, SR_FOULS);
  T value;
  Serialize(r, value);
  REQUIRE(r.AtEnd());
  return value.p1Score;
}

}  // namespace

TEST_CASE("fields: a list, a file and a handwritten type produce equal bytes", "[fields]") {
  for (const std::int64_t at : {1, 2, 3, 4}) {
    CHECK(Bytes<Score>(at) == Bytes<ByHand>(at));
    CHECK(Bytes<FileScore>(at) == Bytes<ByHand>(at));
  }
  CHECK(UpgradedScore<Score>() == 39);
  CHECK(UpgradedScore<FileScore>() == 39);
}

TEST_CASE("fields: equality, printing, JSON", "[fields]") {
  Score a, b;
  CHECK(a == b);
  b.players.push_back({});
  CHECK_FALSE(a == b);
  CHECK(revctl::ToText(b).substr(revctl::ToText(b).find('{')) ==
        R"({p1Score: 0, p2Score: 7, players: [Player{name: "nobody", height: 1.5}]})");
  CHECK(revctl::ToText(a).find("secret") == std::string::npos);
  CHECK(revctl::ToJson(a, SR_LATEST, 0) ==
        R"({"p1Score": 0, "p2Score": 7, "players": [], "secret": "s"})");
}

TEST_CASE("fields: hidden fields stay hidden inside containers", "[fields]") {
  const auto shows = [](const auto& value, const std::string& text) {
    std::string shown = revctl::ToText(value);
    for (std::size_t at; (at = shown.find("secret")) != shown.npos;) FAIL(shown);
    for (std::size_t at; (at = shown.find(revctl::ToText(Score()))) != shown.npos;)
      shown.replace(at, revctl::ToText(Score()).size(), "#");
    CHECK(shown == text);
  };
  shows(std::optional<Score>(Score()), "#");
  shows(std::optional<Score>(), "null");
  shows(std::make_unique<Score>(), "#");
  shows(std::map<int, std::vector<Score>>{{1, {Score(), Score()}}, {2, {}}}, "{1: [#, #], 2: []}");
  shows(std::pair(1, Score()), "[1, #]");
  shows(std::tuple(Score(), std::optional<Score>(), 2), "[#, null, 2]");
  shows(std::variant<int, Score>(Score()), "#");
  shows(std::array<std::variant<int, Score>, 2>{1, Score()}, "[1, #]");
}

TEST_CASE("fields: the table for custom generators", "[fields]") {
  constexpr auto fields = revctl::FieldsOf<Player>();
  static_assert(fields.size() == 2);
  static_assert(fields[1].name == "height" && fields[1].type == "float" &&
                fields[1].fallback == "1.5f");
  static_assert(fields[1].Tag("UNIT") == "metres" && fields[1].Tag("RANGE") == "0, (2 + 1)");
  static_assert(fields[1].HasTag("RANGE") && !fields[1].HasTag("RANG") &&
                !fields[1].HasTag("metres"));
  static_assert(!fields[0].HasTag("UNIT"));
  static_assert(revctl::FieldsOf<FileScore>().size() == 4 &&
                revctl::FieldsOf<FileScore>()[3].HasTag("NO_PRINT"));
  std::string seen;
  Score score;
  revctl::ForEachField(
      score, [&](const revctl::FieldInfo& field, auto&) { seen.append(field.since).append(" "); });
  CHECK(seen == "SR_INITIAL SR_INITIAL SR_PLAYERS SR_PLAYERS ");
}

TEST_CASE("fields: JSON of structs and included definitions can be read back", "[fields][json]") {
  const auto there_and_back = [](auto value) {
    value.p1Score = -41;
    for (const std::int64_t at : {SR_INITIAL, SR_PLAYERS, SR_LATEST}) {
      decltype(value) back;
      const std::string text = revctl::ToJson(value, at);
      revctl::JsonReader again(text, at);
      Serialize(again, back);
      INFO(text << again.error().reason);
      REQUIRE(again.Ok());
      CHECK(revctl::ToJson(back, at) == text);
      CHECK(back.p1Score == value.p1Score);
    }
  };
  Score score;
  score.players.push_back({"Zo\xC3\xAB \"the wall\"", 1.9f});
  score.secret = "shown in JSON, because it is data";
  there_and_back(score);
  there_and_back(FileScore{});
  Score back;
  const std::string text = revctl::ToJson(score, SR_LATEST);
  revctl::JsonReader json(text, SR_LATEST);
  Serialize(json, back);
  CHECK(back == score);
  revctl::JsonReader misspelt(R"({"p1Scoer": 1})", SR_LATEST);
  Serialize(misspelt, back);
  CHECK_THAT(misspelt.error().reason, Catch::Contains("unknown member \"p1Scoer\""));
}
