#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "everything.h"

// Tests the format byte by byte, as specified in docs/formats/save-file.md.

namespace {

template <class T>
std::string Wire(const T& value) {
  revctl::Writer w(1);
  Serialize(w, value);
  REQUIRE(w.Ok());
  std::string hex;
  for (const std::byte b : w.Bytes()) {
    constexpr char digits[] = "0123456789abcdef";
    hex += digits[static_cast<unsigned>(b) >> 4];
    hex += digits[static_cast<unsigned>(b) & 15];
  }
  return hex;
}

/// True if writing a value and reading it back yields an equal value and consumes all bytes.
template <class T>
bool Reads(const T& value) {
  revctl::Writer w(1);
  Serialize(w, value);
  revctl::Reader r(w.Bytes(), 1);
  T back{};
  Serialize(r, back);
  return r.AtEnd() && back == value;
}

std::vector<std::byte> Hex(std::string_view text) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(text.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

template <class T>
std::string Refusal(std::string_view hex) {
  const auto bytes = Hex(hex);
  revctl::Reader r(bytes, 1);
  T value{};
  Serialize(r, value);
  CHECK_FALSE(r.Ok());
  return r.error().reason;
}

}  // namespace

TEST_CASE("wire: numbers are their little-endian bytes", "[wire]") {
  CHECK(Wire(std::int32_t{-2}) == "feffffff");
  CHECK(Wire(std::uint16_t{0x1234}) == "3412");
  CHECK(Wire(std::int64_t{0x0102030405060708}) == "0807060504030201");
  CHECK(Wire(1.0f) == "0000803f");
  CHECK(Wire(-2.0) == "00000000000000c0");
  CHECK(Wire(true) == "01");
  CHECK(Wire('A') == "41");
  CHECK(Wire(everything::Color::Green) == "07");
  CHECK(Wire(everything::Wide::Low) == "00f0ffffffffffff");
}

TEST_CASE("wire: containers", "[wire]") {
  CHECK(Wire(std::string("ab")) == "020000006162");
  CHECK(Wire(std::vector<std::uint16_t>{1, 2}) == "0200000001000200");
  CHECK(Wire(std::vector<bool>{true, false}) == "020000000100");
  CHECK(Wire(std::array<std::uint8_t, 3>{1, 2, 3}) == "010203");
  CHECK(Wire(std::optional<std::uint8_t>{}) == "00");
  CHECK(Wire(std::optional<std::uint8_t>{5}) == "0105");
  CHECK(Wire(std::map<std::string, std::uint8_t>{{"b", 2}, {"a", 1}}) ==
        "020000000100000061010100000062"
        "02");
  CHECK(Wire(std::unordered_map<std::uint8_t, bool>{{9, true}, {1, false}, {4, true}}) ==
        "03000000"
        "0100"
        "0401"
        "0901");
  CHECK(Wire(std::set<std::uint8_t>{3, 1}) == "020000000103");
  CHECK(Wire(std::unordered_set<std::uint8_t>{3, 1, 2}) == "03000000010203");
  CHECK(Wire(std::pair<std::uint8_t, std::uint16_t>{1, 2}) == "010200");
  CHECK(Wire(std::tuple<bool, std::uint8_t>{true, 9}) == "0109");
  CHECK(Wire(std::variant<std::uint8_t, std::string>{"x"}) == "010100000078");
  CHECK(Wire(std::bitset<11>(0x405)) == "0504");
  CHECK(Wire(std::make_unique<std::uint8_t>(std::uint8_t{8})) == "0108");
  std::uint16_t c_array[2] = {1, 2};
  CHECK(Wire(c_array) == "01000200");
}

TEST_CASE("wire: every type reads back", "[wire]") {
  CHECK(Reads(std::vector<bool>{true, false, true}));
  CHECK(Reads(std::vector<std::vector<std::string>>{{"a", ""}, {}, {"bc"}}));
  CHECK(Reads(std::map<everything::Key, std::vector<everything::Color>>{
      {{1, 2}, {everything::Color::Blue}}, {{1, 3}, {}}}));
  CHECK(Reads(std::vector<std::optional<std::optional<std::int32_t>>>{
      {std::optional<std::int32_t>{}}, {}, {5}}));
  CHECK(Reads(std::variant<std::int32_t, everything::Named>{everything::Named{"x", {1, 2, 3}}}));
  CHECK(Reads(std::bitset<64>(0xF0F0F0F0F0F0F0F1)));
  CHECK(Reads(std::tuple<>{}));
  CHECK(Reads(std::vector<std::tuple<>>(5)));  // five elements that take no bytes
  CHECK(Reads(std::vector<std::byte>{std::byte{1}, std::byte{255}}));
}

TEST_CASE("wire: only one encoding of each value is accepted", "[wire]") {
  CHECK(Refusal<bool>("02") == "a bool must be 0 or 1, not 2");
  CHECK(Refusal<everything::Yes>("07") == "a bool must be 0 or 1, not 7");
  CHECK(Refusal<std::vector<bool>>("0200000001ff") == "a bool must be 0 or 1, not 255");
  CHECK(Refusal<std::optional<std::uint8_t>>("0205") == "a flag must be 0 or 1, not 2");
  CHECK(Refusal<std::variant<std::uint8_t, bool>>("0200") ==
        "variant index 2 is out of range; the number of alternatives is 2");
  CHECK(Refusal<std::bitset<3>>("08") == "a bit beyond the end of the bitset is set");
  CHECK(Refusal<std::set<std::uint8_t>>("020000000505") == "a key occurs twice");
  CHECK(Refusal<std::unordered_map<std::uint8_t, bool>>("0200000005010500") ==
        "a key occurs twice");
}

TEST_CASE("wire: a false count is rejected before memory is allocated", "[wire]") {
  CHECK_THAT(Refusal<std::string>("ffffffff61"), Catch::Contains("4294967295, but 1 "));
  CHECK_THAT(Refusal<std::vector<std::uint64_t>>("ffffffff61"),
             Catch::Contains("a count of 4294967295, but 1 bytes are left"));
  CHECK_THAT(Refusal<std::vector<std::tuple<>>>("ffffffff"), Catch::Contains("budget"));
  CHECK_THAT((Refusal<std::map<std::string, std::string>>("ffffffff")), Catch::Contains("budget"));
}

TEST_CASE("wire: the user can set the budget", "[wire]") {
  revctl::Writer w(1);
  Serialize(w, std::vector<std::uint32_t>(1000));
  std::vector<std::uint32_t> value;
  revctl::Reader small(w.Bytes(), 1);
  small.SetLimits({.budget = 3999});
  Serialize(small, value);
  CHECK_THAT(small.error().reason, Catch::Contains("budget"));
  CHECK(value.empty());
  revctl::Reader enough(w.Bytes(), 1);
  enough.SetLimits({.budget = 4000});
  Serialize(enough, value);
  CHECK(enough.AtEnd());
}

TEST_CASE("wire: reading and writing limit the nesting depth", "[wire]") {
  everything::Node root;
  everything::Node* leaf = &root;
  for (int i = 0; i < 600; ++i) leaf = (leaf->left = std::make_unique<everything::Node>()).get();
  revctl::Writer w(1);
  Serialize(w, root);
  CHECK(w.error().reason == "nested deeper than the limit");
  CHECK_THAT(w.error().path, Catch::StartsWith("Node.left.left.left."));
  CHECK(w.Bytes().empty());

  revctl::Writer deep(1);
  deep.SetLimits({.depth = 1000});
  Serialize(deep, root);
  REQUIRE(deep.Ok());
  revctl::Reader r(deep.Bytes(), 1);
  everything::Node back;
  Serialize(r, back);
  CHECK(r.error().reason == "nested deeper than the limit");
  revctl::Reader r2(deep.Bytes(), 1);
  r2.SetLimits({.depth = 1000});
  everything::Node whole;
  Serialize(r2, whole);
  CHECK(r2.AtEnd());
  CHECK(whole == root);
}

TEST_CASE("writer: a full fixed buffer is an error", "[wire]") {
  std::byte buffer[10];
  revctl::Writer w(1, buffer);
  Serialize(w, std::string("123456"));
  CHECK(w.Ok());
  CHECK(w.Bytes().size() == 10);
  CHECK(w.Bytes().data() == buffer);
  revctl::Writer full(1, buffer);
  Serialize(full, std::string("1234567"));
  CHECK(full.error().reason == "the buffer is full");
  full.Clear();
  Serialize(full, std::string("12"));
  CHECK(full.Bytes().size() == 6);
}

TEST_CASE("writer: allocates memory once its scratch buffer is full", "[wire]") {
  const std::string text = "123456";
  revctl::Writer own(1);
  Serialize(own, text);
  for (std::size_t size = 0; size <= 12; ++size) {
    INFO(size);
    std::vector<std::byte> buffer(size);
    revctl::Writer w(1, revctl::Writer::Scratch{buffer});
    Serialize(w, text);
    REQUIRE(w.Ok());
    CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), own.Bytes().begin(), own.Bytes().end()));
    CHECK((w.Bytes().data() == buffer.data()) == (size >= 10));
    for (int i = 0; i < 5000; ++i) Serialize(w, text);
    CHECK(w.Bytes().size() == 5001 * 10);
    w.Clear();
    Serialize(w, text);
    CHECK(w.Bytes().size() == 10);
  }
}

TEST_CASE("wire: ordered maps and sets are written in their own order", "[wire]") {
  struct ByLength {
    bool operator()(const std::string& a, const std::string& b) const {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
  };
  using Map = std::map<std::uint8_t, std::uint8_t, std::greater<>>;
  const Map map{{1, 10}, {3, 30}, {2, 20}};
  revctl::Writer w(1);
  Serialize(w, map);
  const unsigned char expected[] = {3, 0, 0, 0, 3, 30, 2, 20, 1, 10};
  REQUIRE(w.Bytes().size() == sizeof expected);
  CHECK(std::memcmp(w.Bytes().data(), expected, sizeof expected) == 0);
  Map map_back;
  revctl::Reader r(w.Bytes(), 1);
  Serialize(r, map_back);
  CHECK(r.AtEnd());
  CHECK(map_back == map);

  const std::set<std::string, ByLength> words{"ccc", "a", "bb"};
  revctl::Writer words_writer(1);
  Serialize(words_writer, words);
  std::set<std::string, ByLength> words_back;
  revctl::Reader words_reader(words_writer.Bytes(), 1);
  Serialize(words_reader, words_back);
  CHECK(words_reader.AtEnd());
  CHECK(std::vector<std::string>(words_back.begin(), words_back.end()) ==
        std::vector<std::string>{"a", "bb", "ccc"});

  // The comparator of the container decides which keys are equal.
  struct FirstLetter {
    bool operator()(const std::string& a, const std::string& b) const { return a[0] < b[0]; }
  };
  std::set<std::string, FirstLetter> letters;
  const std::vector<std::string> twice{"apple", "axe"};
  revctl::Writer twice_writer(1);
  Serialize(twice_writer, twice);
  revctl::Reader twice_reader(twice_writer.Bytes(), 1);
  Serialize(twice_reader, letters);
  CHECK_THAT(twice_reader.error().reason, Catch::Contains("twice"));
}
