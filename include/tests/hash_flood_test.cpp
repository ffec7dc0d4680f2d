#include <catch2/catch.hpp>

#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/objects.h>
#include <revctl/trace.h>

#include <string>
#include <unordered_map>
#include <unordered_set>

// Tests files whose keys all fall into a single hash table bucket. Without a limit, reading such a
// file takes quadratic time: seconds for a few hundred kilobytes, hours for ten megabytes.

namespace flood {

struct Spot {
  std::int32_t x = 0, y = 0;
  bool operator==(const Spot&) const = default;
  auto operator<=>(const Spot&) const = default;
};
SERIALIZE_TYPE(Spot) {
  ADD(1, x);
  ADD(1, y);
}
SERIALIZE_END
/// A typical handwritten hash, which produces few distinct values for a grid of spots.
struct PoorHash {
  std::size_t operator()(const Spot& spot) const {
    return static_cast<std::size_t>(spot.x * 31 + spot.y);
  }
};
struct NoHash {
  std::size_t operator()(const Spot&) const { return 7; }
};

struct World {
  std::unordered_set<std::uint64_t> seen;
  std::unordered_map<std::uint64_t, std::int32_t> owner;
};
SERIALIZE_TYPE(World) {
  ADD(1, seen);
  ADD(1, owner);
}
SERIALIZE_END

/// Returns `count` distinct multiples of the bucket count of a table with `count` keys. In standard
/// libraries, a number is its own hash.
std::vector<std::uint64_t> OneBucket(std::size_t count) {
  std::unordered_set<std::uint64_t> probe;
  for (std::uint64_t n = 0; n < count; ++n) probe.insert(n);
  std::vector<std::uint64_t> keys;
  for (std::uint64_t n = 0; n < count; ++n) keys.push_back(n * probe.bucket_count());
  return keys;
}

/// Returns the bytes of a struct with a set or, if `is_map`, with a map of these keys.
std::vector<std::byte> File(const std::vector<std::uint64_t>& keys, bool is_map) {
  revctl::Writer w(1);
  std::uint32_t none = 0;
  if (is_map) w.Value(none);  // the empty set `seen`
  auto count = static_cast<std::uint32_t>(keys.size());
  w.Value(count);
  for (std::uint64_t key : keys) {
    w.Value(key);
    std::int32_t owner = 1;
    if (is_map) w.Value(owner);
  }
  if (!is_map) w.Value(none);
  return {w.Bytes().begin(), w.Bytes().end()};
}

template <class R, class T, class Bytes>
revctl::ArchiveError ErrorOf(const Bytes& bytes, T& value) {
  R r(bytes, 1);
  Serialize(r, value);
  return r.error();
}

template <class T>
std::vector<std::byte> Payload(const T& value) {
  revctl::Writer w(1);
  Serialize(w, value);
  return {w.Bytes().begin(), w.Bytes().end()};
}

}  // namespace flood

TEST_CASE("flood: every reader rejects keys that share a bucket", "[hostile]") {
  const auto keys = flood::OneBucket(25000);
  flood::World of_maps, of_sets;
  const revctl::ArchiveError error =
      flood::ErrorOf<revctl::Reader>(flood::File(keys, /*is_map=*/true), of_maps);
  CHECK(error.path == "World.owner");
  CHECK_THAT(error.reason, Catch::Contains("use std::map, std::set, or a hash with a secret seed"));
  CHECK_FALSE(error.refused);
  CHECK(of_maps.owner.size() < keys.size());
  CHECK(flood::ErrorOf<revctl::TraceReader>(flood::File(keys, /*is_map=*/false), of_sets).path ==
        "World.seen");
  std::string text = "{\"seen\": [";
  for (const std::uint64_t key : keys) text += (key == 0 ? "" : ",") + std::to_string(key);
  text += "], \"owner\": []}";
  flood::World world;
  CHECK(flood::ErrorOf<revctl::JsonReader>(std::string_view(text), world).path == "World.seen");
}

TEST_CASE("flood: the limit applies to all tables of a file together", "[hostile]") {
  // Each container by itself stays below the limit, but the file contains many such containers.
  const std::vector<std::uint64_t> keys = flood::OneBucket(3500);
  std::vector<std::unordered_set<std::uint64_t>> tables;
  revctl::Writer w(1);
  std::uint32_t many = 100, count = 3500;
  w.Value(many);
  for (std::uint32_t i = 0; i < many; ++i) {
    w.Value(count);
    for (std::uint64_t key : keys) w.Value(key);
  }
  CHECK_THAT(flood::ErrorOf<revctl::TraceReader>(w.Bytes(), tables).reason,
             Catch::Contains("share a bucket"));
  std::vector<std::byte> first(w.Bytes().begin(), w.Bytes().begin() + 4 + 4 + 3500 * 8);
  first[0] = std::byte{1};
  CHECK(flood::ErrorOf<revctl::Reader>(first, tables).reason == "");
  CHECK(tables.at(0).size() == 3500);
}

TEST_CASE("flood: good hashes and typical poor hashes are accepted", "[hostile]") {
  std::unordered_map<std::uint64_t, std::int32_t> numbers;
  for (std::uint64_t n = 0; n < 100000; ++n) numbers[n * 4096] = 1;
  auto many = numbers;
  CHECK(flood::ErrorOf<revctl::Reader>(flood::Payload(numbers), many).reason == "");
  CHECK(many == numbers);
  std::unordered_set<std::string> words, more;
  for (int n = 0; n < 50000; ++n) words.insert("word " + std::to_string(n));
  CHECK(flood::ErrorOf<revctl::Reader>(flood::Payload(words), more).reason == "");
  CHECK(more == words);

  std::unordered_set<flood::Spot, flood::PoorHash> grid, same_grid;
  for (std::int32_t i = 0; i < 300 * 300; ++i) grid.insert({i / 300, i % 300});
  CHECK(flood::ErrorOf<revctl::Reader>(flood::Payload(grid), same_grid).reason == "");
  CHECK(same_grid == grid);
  std::unordered_set<flood::Spot, flood::NoHash> spots, same_spots;
  for (std::int32_t i = 0; i < 3000; ++i) spots.insert({i, i});
  CHECK(flood::ErrorOf<revctl::Reader>(flood::Payload(spots), same_spots).reason == "");
  CHECK(same_spots.size() == 3000);
}
