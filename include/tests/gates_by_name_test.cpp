#include <revctl/json_writer.h>
#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <catch2/catch.hpp>

#include <span>

// A playtest build was shipped from a branch when SR_HATS = 4 was the newest revision on main.
// SR_BOSS was 5 on the branch, but SR_RAIN landed as 5 first, so SR_BOSS landed as 6. The current
// program reads the playtest's files by name.

namespace {

enum Rev { SR_INITIAL = 1, SR_HATS = 4, SR_RAIN = 5, SR_BOSS = 6 };
enum class Branch { SR_INITIAL = 1, SR_HATS = 4, SR_BOSS = 5, SR_PET = 6 };

struct Boss {
  std::int32_t hp = 0;
};
SERIALIZE_TYPE(Boss) { ADD(SR_BOSS, hp); }
SERIALIZE_END

struct Level {
  std::int32_t hats = 0;
  float rain = 0.25f;
  Boss boss;
  std::vector<std::int16_t> path;
};
SERIALIZE_TYPE(Level) {
  ADD(SR_HATS, hats);
  ADD(SR_RAIN, rain);
  ADD(SR_BOSS, boss);
  REM(SR_INITIAL, SR_RAIN, std::uint8_t, weather, 0);
  ADD(SR_INITIAL, path);
  if (r.IsReading() && r.revision < SR_RAIN) d.rain = weather;
}
SERIALIZE_END

/// The level as declared on the branch, without rain and with SR_BOSS = 5.
struct BranchLevel {
  std::int32_t hats = 3;
  std::int32_t boss_hp = -70;
  std::uint8_t weather = 2;
  std::vector<std::int16_t> path{5, -6};
};
SERIALIZE_TYPE(BranchLevel) {
  ADD(Branch::SR_HATS, hats);
  ADD(Branch::SR_BOSS, boss_hp);
  ADD(Branch::SR_INITIAL, weather);
  ADD(Branch::SR_INITIAL, path);
}
SERIALIZE_END

}  // namespace

template <>
struct revctl::ListOf<Rev> {
  static constexpr ListEntry entries[] = {
      {"SR_INITIAL", 1, 0x11}, {"SR_HATS", 4, 0x44}, {"SR_RAIN", 5, 0x55}, {"SR_BOSS", 6, 0x66}};
  static constexpr ListTable table{"main", entries, 1};
};
template <>
struct revctl::ListOf<Branch> {
  static constexpr ListEntry entries[] = {
      {"SR_INITIAL", 1, 0x11}, {"SR_HATS", 4, 0x44}, {"SR_BOSS", 5, 0x5b}, {"SR_PET", 6, 0x6b}};
  static constexpr ListTable table{"playtest", entries, 1};
};

namespace {

std::vector<std::byte> PlaytestFile(Branch revision) {
  std::vector<std::byte> bytes;
  REQUIRE(revctl::Save(revision, BranchLevel{}, bytes).Ok());
  return bytes;
}

}  // namespace

TEST_CASE("by name: a file from an unlanded branch needs the branch's list", "[by-name]") {
  const auto file = PlaytestFile(Branch::SR_BOSS);
  Level level;
  CHECK(revctl::Load<Rev>(file, level).kind() == revctl::Status::Kind::ForeignLineage);

  const auto status =
      revctl::Load<Rev>(file, level, {.written_with = &revctl::ListOf<Branch>::table});
  CHECK(status.message() == "");
  CHECK(level.hats == 3);
  CHECK(level.boss.hp == -70);  // SR_BOSS is 5 in the file's list and 6 here
  CHECK(level.rain == 2);       // the file does not know SR_RAIN, so upgrade code ran
  CHECK(level.path == std::vector<std::int16_t>{5, -6});
}

TEST_CASE("by name: headers are checked strictly against the other list", "[by-name]") {
  const revctl::FileFormat playtest{.written_with = &revctl::ListOf<Branch>::table};
  Level level;
  level.hats = 99;

  auto status = revctl::Load<Rev>(PlaytestFile(Branch::SR_PET), level, playtest);
  CHECK(status.kind() == revctl::Status::Kind::ForeignLineage);
  CHECK_THAT(status.message(), Catch::Contains("SR_PET = 6") && Catch::Contains("playtest"));

  auto file = PlaytestFile(Branch::SR_BOSS);
  file[8] ^= std::byte{1};  // the lineage
  CHECK(revctl::Load<Rev>(file, level, playtest).kind() == revctl::Status::Kind::ForeignLineage);

  file = PlaytestFile(Branch::SR_BOSS);
  file.resize(file.size() - 1);
  status = revctl::Load<Rev>(file, level, playtest);
  CHECK(status.kind() == revctl::Status::Kind::Corrupt);
  CHECK_THAT(status.message(), Catch::Contains("Level.path at offset"));
  CHECK(level.hats == 99);
}

TEST_CASE("by name: comparisons refer to revisions, not numbers", "[by-name]") {
  const revctl::GatesByName gates(revctl::ListOf<Rev>::table, revctl::ListOf<Branch>::table, 5);
  CHECK(gates.Unknown().empty());
  CHECK(gates.Newest() == SR_BOSS);
  revctl::NotingRevision revision;
  revision = gates;
  CHECK(revision >= SR_INITIAL);
  CHECK(revision >= 0);  // a gate below the first revision is always open
  CHECK(revision >= 2);  // opens with SR_HATS, because no revision has the number 2
  CHECK(revision >= SR_HATS);
  CHECK(revision < SR_RAIN);
  CHECK(revision >= SR_BOSS);
  CHECK(revision == SR_BOSS);
  CHECK(revision > SR_HATS);
  CHECK(revision < 7);
  CHECK(revision.Notes() == std::vector<std::int64_t>{0, 1, 2, 4, 5, 6, 7});
  revision = 5;  // assigning a number turns off gates by name
  CHECK(revision >= SR_RAIN);

  // An older file from the same branch has neither SR_RAIN nor SR_BOSS.
  revision = revctl::GatesByName(revctl::ListOf<Rev>::table, revctl::ListOf<Branch>::table, 4);
  CHECK(revision == SR_HATS);
  CHECK(revision < SR_BOSS);
  const revctl::GatesByName later(revctl::ListOf<Rev>::table, revctl::ListOf<Branch>::table, 6);
  CHECK(later.Unknown() == std::vector<std::string>{"SR_PET"});
}

TEST_CASE("by name: purged old revisions are not reported as unknown", "[by-name]") {
  const revctl::ListEntry old_entries[] = {
      {"SR_ALPHA", 1, 0}, {"SR_BETA", 2, 0}, {"SR_INITIAL", 3, 0}};
  const revctl::ListTable old_list{"old", old_entries, 1};
  const revctl::GatesByName gates(revctl::ListOf<Rev>::table, old_list, 3);
  CHECK(gates.Unknown().empty());
  CHECK(gates.Newest() == SR_INITIAL);
}

namespace plain_by_name {

struct Weather {
  PLAIN(Weather);
  FIELD(std::uint16_t, clouds, SR_INITIAL);
  FIELD(std::uint16_t, sun, SR_HATS);
};
struct Storm {
  PLAIN(Storm);
  FIELD(std::uint32_t, boss, SR_BOSS);
  FIELD(std::uint32_t, rain, SR_RAIN);
  FIELD(std::uint32_t, wind, SR_INITIAL);
};

}  // namespace plain_by_name

TEST_CASE("by name: plain structs need the layout of exactly one revision", "[by-name]") {
  const std::byte bytes[12] = {std::byte{1}, std::byte{}, std::byte{2}};
  revctl::TraceReader r(std::span<const std::byte>(bytes).first(4), 0);
  r.revision = revctl::GatesByName(revctl::ListOf<Rev>::table, revctl::ListOf<Branch>::table, 5);
  plain_by_name::Weather weather{};
  Serialize(r, weather);
  CHECK(r.error().reason == "");
  CHECK(weather.clouds == 1);
  CHECK(weather.sun == 2);

  revctl::TraceReader s(bytes, 0);
  s.revision = revctl::GatesByName(revctl::ListOf<Rev>::table, revctl::ListOf<Branch>::table, 5);
  plain_by_name::Storm storm{};
  Serialize(s, storm);
  CHECK_THAT(s.error().reason, Catch::Contains("Storm has layout changes at revisions 5 (") &&
                                   Catch::Contains(" and 6 ("));
}
