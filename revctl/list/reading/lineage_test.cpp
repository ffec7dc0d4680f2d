#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <string>

#include "revctl/list/reading/revision_list.h"

namespace revctl::list {
namespace {

/// An implementation of XXH64 that follows its specification, to check the library's results
/// independently.
class PlainXxh64 {
 public:
  static std::uint64_t Of(const std::string& bytes) {
    std::size_t i = 0;
    std::uint64_t hash = k5;
    if (bytes.size() >= 32) {
      std::array<std::uint64_t, 4> lanes{k1 + k2, k2, 0, 0 - k1};
      for (; i + 32 <= bytes.size(); i += 32) {
        for (std::size_t lane = 0; lane < 4; ++lane)
          lanes[lane] = Round(lanes[lane], Little(bytes, i + lane * 8, 8));
      }
      hash =
          Rotate(lanes[0], 1) + Rotate(lanes[1], 7) + Rotate(lanes[2], 12) + Rotate(lanes[3], 18);
      for (std::uint64_t lane : lanes) hash = (hash ^ Round(0, lane)) * k1 + k4;
    }
    hash += bytes.size();
    for (; i + 8 <= bytes.size(); i += 8)
      hash = Rotate(hash ^ Round(0, Little(bytes, i, 8)), 27) * k1 + k4;
    for (; i + 4 <= bytes.size(); i += 4)
      hash = Rotate(hash ^ (Little(bytes, i, 4) * k1), 23) * k2 + k3;
    for (; i < bytes.size(); ++i) hash = Rotate(hash ^ (Little(bytes, i, 1) * k5), 11) * k1;
    hash = (hash ^ (hash >> 33)) * k2;
    hash = (hash ^ (hash >> 29)) * k3;
    return hash ^ (hash >> 32);
  }

 private:
  static constexpr std::uint64_t k1 = 0x9E3779B185EBCA87u, k2 = 0xC2B2AE3D27D4EB4Fu,
                                 k3 = 0x165667B19E3779F9u, k4 = 0x85EBCA77C2B2AE63u,
                                 k5 = 0x27D4EB2F165667C5u;
  static std::uint64_t Rotate(std::uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }
  static std::uint64_t Round(std::uint64_t lane, std::uint64_t input) {
    return Rotate(lane + input * k2, 31) * k1;
  }
  static std::uint64_t Little(const std::string& bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    while (count-- > 0) value = (value << 8) | static_cast<unsigned char>(bytes[at + count]);
    return value;
  }
};

std::string Bytes(std::uint64_t value) {
  std::string bytes;
  for (int i = 0; i < 8; ++i)
    bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}

RevisionList List(std::string_view entries) {
  auto list = Parse("enum Revision {" + std::string(entries) + "};", ListConfig{}, "list.h");
  REQUIRE(list.ok());
  return *list;
}

}  // namespace

TEST_CASE("lineage: the independent hash matches the published test vectors", "[list][lineage]") {
  CHECK(PlainXxh64::Of("") == 0xEF46DB3751D8E999u);
  CHECK(PlainXxh64::Of("abc") == 0x44BC2CF5AD770999u);
}

TEST_CASE("lineage: hashes chain over number and name", "[list][lineage]") {
  const auto lineages =
      Lineages(List("SR_INITIAL = 1, SR_A_NAME_THAT_MAKES_MORE_THAN_THIRTY_TWO_BYTES = 666"), 0);
  REQUIRE(lineages.size() == 2);
  const std::uint64_t first = PlainXxh64::Of(Bytes(0) + Bytes(1) + "SR_INITIAL");
  CHECK(lineages[0].hash == first);
  CHECK(lineages[1].hash == PlainXxh64::Of(Bytes(first) + Bytes(666) +
                                           "SR_A_NAME_THAT_MAKES_MORE_THAN_THIRTY_TWO_BYTES"));
  CHECK(lineages[1].number == 666);
  CHECK(LineageText(0x00ab) == "00000000000000ab");
}

TEST_CASE("lineage: aliases, sentinels and second names have no effect", "[list][lineage]") {
  ListConfig config;
  config.sentinel = "SR_LATEST_PLUS_ONE";
  const auto plain = Lineages(List("SR_A = 1, SR_B = 2, SR_C = 3"), 0);
  const auto list = Parse(
      "enum Revision { SR_A = 1, SR_B, SR_SECOND_NAME = 2, SR_RELEASE = SR_A, SR_C = 3, "
      "SR_LATEST_PLUS_ONE };",
      config, "x");
  REQUIRE(list.ok());
  const auto same = Lineages(*list, 0);
  REQUIRE(same.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(same[i].name == plain[i].name);
    CHECK(same[i].hash == plain[i].hash);
  }
}

TEST_CASE("lineage: a different name changes its own lineage and all later ones",
          "[list][lineage]") {
  const auto ours = Lineages(List("SR_A = 1, SR_B = 2, SR_C = 3"), 0);
  const auto theirs = Lineages(List("SR_A = 1, SR_X = 2, SR_C = 3"), 0);
  CHECK(ours[0].hash == theirs[0].hash);
  CHECK(ours[1].hash != theirs[1].hash);
  CHECK(ours[2].hash != theirs[2].hash);
}

TEST_CASE("lineage: the root covers purged revisions, and file order has no effect",
          "[list][lineage]") {
  const auto whole = Lineages(List("SR_C = 3, SR_B = 2, SR_A = -1"), 0);
  REQUIRE(whole[0].name == "SR_A");
  const auto kept = Lineages(List("SR_B = 2, SR_C = 3"), whole[0].hash);
  CHECK(kept[0].hash == whole[1].hash);
  CHECK(kept[1].hash == whole[2].hash);
}

}  // namespace revctl::list
