#include <catch2/catch.hpp>

#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/save_parts.h>
#include <revctl/trace.h>

#include "everything.h"
#include "include/tests/objects/boxes.h"

// Tests the code for big-endian machines, which REVCTL_DETAIL_SWAP enables. On a little-endian
// machine, this code writes the bytes of every value in reverse order.

static_assert(revctl::detail::kSwapBytes);

TEST_CASE("swapped: values and counts are reversed, but bytes are not", "[swap]") {
  revctl::Writer w(1);
  Serialize(w, std::uint32_t{0x01020304});
  Serialize(w, std::string("ab"));
  Serialize(w, std::vector<std::uint16_t>{0x0102});
  Serialize(w, everything::Vec3{1, 0, 0});
  const unsigned char expected[] = {1, 2, 3,    4,    0, 0, 0, 2, 'a', 'b', 0, 0, 0, 1,
                                    1, 2, 0x3f, 0x80, 0, 0, 0, 0, 0,   0,   0, 0, 0, 0};
  REQUIRE(w.Bytes().size() == sizeof expected);
  CHECK(std::memcmp(w.Bytes().data(), expected, sizeof expected) == 0);
}

TEST_CASE("swapped: no record is copied as an image", "[swap]") {
  static_assert(!revctl::detail::kImage<everything::Vec3, true> &&
                revctl::detail::kFlat<everything::Vec3, true>);
  const std::vector<everything::Vec3> points{{1, 2, 3}, {4, 5, 6}};
  revctl::Writer w(1);
  Serialize(w, points);
  revctl::Reader r(w.Bytes(), 1);
  std::vector<everything::Vec3> back;
  Serialize(r, back);
  CHECK(r.AtEnd());
  CHECK(back == points);
}

TEST_CASE("swapped: headers and checksums are also swapped and can be read back", "[swap]") {
  static constexpr revctl::ListEntry entries[] = {{"SR_FIRST", 1, 0x1122334455667788},
                                                  {"SR_SECOND", 2, 0x99}};
  static constexpr revctl::ListTable table{"main", entries, 1};
  const revctl::FileFormat format{.list = &table, .checksum = true};
  const std::vector<std::uint16_t> value{0x0102};
  std::vector<std::byte> file;
  REQUIRE(revctl::Save(1, value, file, format).Ok());
  const unsigned char expected[] = {'T',  'C',  'V',  'R',  0,    0, 0, 1, 0x11, 0x22, 0x33,
                                    0x44, 0x55, 0x66, 0x77, 0x88, 0, 0, 0, 1,    1,    2};
  REQUIRE(file.size() == sizeof expected + 8);
  CHECK(std::memcmp(file.data(), expected, sizeof expected) == 0);
  const std::uint64_t sum =
      revctl::Checksum(std::span<const std::byte>(file).first(sizeof expected));
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(static_cast<unsigned>(file[file.size() - 1 - i]) == (sum >> (8 * i) & 0xFF));
  std::vector<std::uint16_t> back;
  REQUIRE(revctl::Load(file, back, table, format).message() == "");
  CHECK(back == value);
  file[21] ^= std::byte{1};
  CHECK(revctl::Load(file, back, table, format).kind() == revctl::Status::Kind::Corrupt);
  file[21] ^= std::byte{1};
  file[15] ^= std::byte{1};
  const revctl::FileFormat unchecked{.list = &table};
  CHECK(revctl::Load(std::span(file).first(sizeof expected), back, table, unchecked).kind() ==
        revctl::Status::Kind::ForeignLineage);
}

TEST_CASE("swapped: tables and ids of object streams are swapped", "[swap][objects]") {
  boxes::Boxes boxes;
  for (int i = 0; i < 3; ++i) boxes.push_back(std::make_unique<boxes::Box>());
  boxes[0]->looks = boxes[2].get();
  boxes[1]->next = std::make_unique<boxes::Box>();
  boxes[1]->next->number = 0x01020304;
  boxes[2]->peer = std::make_shared<boxes::Box>();
  boxes[0]->peer = boxes[2]->peer;
  std::vector<std::byte> file;
  REQUIRE(revctl::SaveObjects(1, boxes::Classes(), boxes, file).Ok());
  const unsigned char number[] = {1, 2, 3, 4};
  CHECK(std::search(file.begin(), file.end(), reinterpret_cast<const std::byte*>(number),
                    reinterpret_cast<const std::byte*>(number) + 4) != file.end());
  boxes::Boxes back;
  REQUIRE(revctl::LoadObjects(file, boxes::Classes(), back, 1).message() == "");
  REQUIRE(back.size() == 3);
  CHECK(back[0]->looks == back[2].get());
  CHECK(back[1]->next->number == 0x01020304);
  CHECK(back[0]->peer == back[2]->peer);
}

TEST_CASE("swapped: files with several lists can be read back", "[swap]") {
  enum Game { SR_GAME = 3 };
  enum Mod { SR_MOD = 5 };
  static constexpr revctl::ListEntry game_entries[] = {{"SR_GAME", 3, 0x1122}},
                                     mod_entries[] = {{"SR_MOD", 5, 0x3344}};
  static constexpr revctl::ListTable game{"game", game_entries, 3}, mod{"mod", mod_entries, 5};
  const std::uint32_t written = 0x01020304;
  const std::string words = "mod";
  std::vector<std::byte> file;
  REQUIRE(revctl::SaveParts(file, {.checksum = true}, revctl::PartAt(SR_GAME, written),
                            revctl::PartAt(SR_MOD, words))
              .Ok());
  std::uint32_t number = 0;
  std::string text;
  const auto load = [&] {
    return revctl::LoadParts(file, {.checksum = true}, revctl::PartOf<Game>(number, game),
                             revctl::PartOf<Mod>(text, mod));
  };
  CHECK(load().message() == "");
  CHECK(number == 0x01020304);
  CHECK(text == "mod");
}

TEST_CASE("swapped: every archive reads back the written values", "[swap]") {
  for (const std::int64_t at : {1, 2, 3, 4}) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      INFO("revision " << at << ", seed " << seed);
      const auto object = revctl::Filled<everything::Everything>(at, seed);
      revctl::Writer w(at);
      Serialize(w, object);
      REQUIRE(w.Ok());
      CHECK(revctl::WireSize(object, at) == w.Bytes().size());
      revctl::TraceWriter written(at);
      Serialize(written, object);
      CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), written.Bytes().begin(),
                       written.Bytes().end()));
      std::vector<std::byte> room(w.Bytes().size());
      revctl::Writer fixed(at, room);
      Serialize(fixed, object);
      CHECK(fixed.Ok());
      CHECK(std::equal(room.begin(), room.end(), w.Bytes().begin()));

      everything::Everything read, traced, from_text;
      revctl::Reader r(w.Bytes(), at);
      Serialize(r, read);
      CHECK(r.AtEnd());
      revctl::TraceReader trace(w.Bytes(), at);
      Serialize(trace, traced);
      CHECK(trace.AtEnd());
      const std::string text = revctl::ToJson(object, at);
      revctl::JsonReader json(text, at);
      Serialize(json, from_text);
      CHECK(json.Ok());
      // All readers must upgrade objects of old revisions in the same way.
      if (at == 4) CHECK(revctl::Differences(object, read, at).empty());
      CHECK(revctl::Differences(read, traced, 4).empty());
      CHECK(revctl::Differences(read, from_text, 4).empty());
    }
  }
  revctl::Filler filler(4, 0);
  revctl::LayoutArchive layouts(filler);
  everything::Everything object;
  Serialize(layouts, object);
  CHECK(layouts.Ok());
}

TEST_CASE("swapped: old flat elements and elements with invalid bytes", "[swap][flat]") {
  std::vector<everything::Vec3> points(3);
  points[2].y = 5;
  std::vector<bool> bits{true, false, true};
  for (const std::int64_t at : {1, 4}) {
    revctl::Writer w(at);
    Serialize(w, points);
    Serialize(w, bits);
    std::vector<std::byte> bytes(w.Bytes().begin(), w.Bytes().end());
    std::vector<everything::Vec3> back;
    std::vector<bool> bits_back;
    revctl::Reader r(bytes, at);
    Serialize(r, back);
    Serialize(r, bits_back);
    CHECK(r.AtEnd());
    CHECK(back == points);
    CHECK(bits_back == bits);
    bytes.back() = std::byte{7};
    revctl::Reader bad(bytes, at);
    Serialize(bad, back);
    Serialize(bad, bits_back);
    CHECK_THAT(bad.error().reason, Catch::Contains("a bool must be 0 or 1, not 7"));
    CHECK(bad.error().offset == bytes.size() - 1);
  }
}
