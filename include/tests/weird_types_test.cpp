#include <revctl/differ.h>
#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/serialize.h>
#include <revctl/trace.h>

#include <catch2/catch.hpp>

#include <bit>
#include <cstring>
#include <limits>

// Tests unusual types: empty types, deeply nested types, recursion through a variant, const or
// private members, chains of base classes, constructors that accept anything, and arbitrary code in
// bodies.

namespace weird {

struct Nothing {
  bool operator==(const Nothing&) const = default;
};
SERIALIZE_TYPE(Nothing) {}
SERIALIZE_END

/// A tree whose nodes are variants.
struct Node;
struct Sum {
  std::vector<Node> terms;
  bool operator==(const Sum&) const;
};
struct Node {
  std::variant<std::monostate, std::int32_t, Sum, std::map<std::string, Node>> is;
  bool operator==(const Node&) const;
};
bool Sum::operator==(const Sum& other) const { return terms == other.terms; }
bool Node::operator==(const Node& other) const { return is == other.is; }

/// A class with private members, an indirect base class, and a bit-field next to a const static
/// member.
class Named {
 public:
  explicit Named(std::string name = "nobody") : name_(std::move(name)) {}
  bool operator==(const Named&) const = default;

 private:
  SERIALIZE_FRIEND(Named);
  std::string name_;
};
SERIALIZE_TYPE(Named) { ADD(1, name_); }
SERIALIZE_END

struct Soldier : Named {
  using Named::Named;
  static constexpr int kLimit = 7;
  unsigned team : 3 = 2, rank : 5 = 0;
  bool operator==(const Soldier&) const = default;
};
SERIALIZE_TYPE(Soldier) {
  ADD_BASE(1, Named);
  ADD_BITS(1, std::uint8_t, team);
  ADD_BITS(1, std::uint8_t, rank);
}
SERIALIZE_END

struct General final : Soldier {
  std::optional<Soldier> aide;
  bool operator==(const General&) const = default;
};
SERIALIZE_TYPE(General) {
  ADD_BASE(1, Soldier);
  ADD(1, aide);
}
SERIALIZE_END

/// A flat type that can be constructed from anything. The library must not construct it from one of
/// its own internal objects.
struct Greedy {
  std::uint32_t value = 0;
  Greedy() = default;
  template <class T>
  Greedy(T&&) : value(0xBAD) {}  // NOLINT
  Greedy(const Greedy&) = default;
  Greedy& operator=(const Greedy&) = default;
  bool operator==(const Greedy&) const = default;
};
SERIALIZE_TYPE(Greedy) { ADD(1, value); }
SERIALIZE_END

/// A flat type with an overloaded address-of operator and an overloaded comma operator.
struct Sly {
  std::uint32_t a = 1, b = 2;
  bool c = true, e = false, f = true, g = false;
  Sly* operator&() { return nullptr; }              // NOLINT
  const Sly* operator&() const { return nullptr; }  // NOLINT
  template <class T>
  void operator,(T&&) const = delete;
  bool operator==(const Sly&) const = default;
};
SERIALIZE_TYPE(Sly) {
  ADD(1, a);
  ADD(2, b);
  ADD(1, c);
  ADD(1, e);
  ADD(1, f);
  ADD(1, g);
}
SERIALIZE_END

/// A flat type that is not assignable.
struct Settled {
  std::uint32_t a = 3, b = 4;
  Settled() = default;
  Settled(const Settled&) = default;
  Settled& operator=(const Settled&) = delete;
};
SERIALIZE_TYPE(Settled) {
  ADD(1, a);
  ADD(2, b);
}
SERIALIZE_END

/// An over-aligned type with padding at the end.
struct alignas(64) Wide {
  std::uint64_t a = 0;
  std::uint8_t b = 0;
  bool operator==(const Wide&) const = default;
};
SERIALIZE_TYPE(Wide) {
  ADD(1, a);
  ADD(1, b);
}
SERIALIZE_END

/// A class template with a type parameter, a non-type parameter, and a member of a dependent type.
template <class T, std::size_t n>
struct Grid {
  std::array<std::array<T, n>, 2> cells{};
  std::vector<Grid> inner;
  bool operator==(const Grid&) const = default;
};
SERIALIZE_TEMPLATE((class T, std::size_t n), Grid<T, n>) {
  ADD(1, cells);
  ADD(1, inner);
}
SERIALIZE_END

/// A key with a hash but no ordering. KeyOrder defines the order on the wire.
struct Id {
  std::int32_t n = 0;
  bool operator==(const Id&) const = default;
};
SERIALIZE_TYPE(Id) { ADD(1, n); }
SERIALIZE_END

}  // namespace weird

template <>
struct std::hash<weird::Id> {
  std::size_t operator()(const weird::Id& id) const {
    return static_cast<std::size_t>(id.n * 7 % 5);
  }
};
template <>
struct revctl::KeyOrder<weird::Id> {
  static bool Less(const weird::Id& a, const weird::Id& b) {
    return a.n > b.n;
  }  // the highest first
};

namespace weird {

enum : std::int32_t { kUnnamed = 5 };

struct All {
  Nothing nothing;
  std::vector<Nothing> many_nothings;
  std::array<std::int32_t, 0> empty_array{};
  std::tuple<> empty_tuple;
  Node node;
  General general;
  std::vector<Greedy> greedy;
  std::vector<Sly> sly;
  std::vector<Wide> wide;
  std::vector<Settled> settled;
  Grid<Soldier, 3> grid;
  std::optional<std::unique_ptr<std::optional<std::vector<bool>>>> deep;
  std::map<std::pair<std::int32_t, std::optional<std::string>>, std::set<std::vector<std::uint8_t>>>
      map;
  std::vector<std::array<std::pair<bool, char>, 2>> pairs;
  std::unordered_map<Id, std::string> by_id;
  std::unordered_set<Id> ids;
  decltype(kUnnamed) unnamed = kUnnamed;
  std::nullptr_t not_saved = nullptr;
  All() = default;
  All(All&&) = default;
  All& operator=(All&&) = delete;
};
SERIALIZE_TYPE(Sum) { ADD(1, terms); }
SERIALIZE_END
SERIALIZE_TYPE(Node) { ADD(1, is); }
SERIALIZE_END
SERIALIZE_TYPE(All) {
  ADD(1, nothing);
  ADD(1, many_nothings);
  ADD(1, empty_array);
  ADD(1, empty_tuple);
  ADD(1, node);
  ADD(1, general);
  ADD(1, greedy);
  ADD(1, sly);
  ADD(1, wide);
  ADD(1, settled);
  ADD(1, grid);
  ADD(1, deep);
  ADD(1, map);
  ADD(1, pairs);
  ADD(1, by_id);
  ADD(1, ids);
  ADD(1, unnamed);
  SERIALIZE_IGNORE(not_saved);
}
SERIALIZE_END

}  // namespace weird

template <>
struct revctl::WireAs<std::monostate> {
  using Type = std::array<std::uint8_t, 0>;
  static Type ToWire(std::monostate) { return {}; }
  static bool FromWire(Type, std::monostate&) { return true; }
};

namespace {

using weird::All;

std::vector<std::byte> Payload(const All& all, int at) {
  revctl::Writer w(at);
  Serialize(w, all);
  CHECK(w.error().reason == "");
  return {w.Bytes().begin(), w.Bytes().end()};
}

/// A record whose body rejects a bad value. Other records follow it.
struct CheckedPart {
  bool good = true;
  std::string text;
};
SERIALIZE_TYPE(CheckedPart) {
  ADD(1, good);
  if (!d.good) r.Fail("not good");
  ADD(1, text);
}
SERIALIZE_END
struct CheckedParts {
  std::vector<CheckedPart> parts;
  std::vector<CheckedPart> more;
  std::map<std::string, CheckedPart> named;
};
SERIALIZE_TYPE(CheckedParts) {
  ADD(1, parts);
  ADD(1, more);
  ADD(1, named);
}
SERIALIZE_END

struct Behind {
  std::vector<weird::Nothing> nothings;
  std::int32_t last = 0;
};
SERIALIZE_TYPE(Behind) {
  ADD(1, nothings);
  ADD(1, last);
}
SERIALIZE_END

}  // namespace

TEST_CASE("weird types: survive round trips through bytes and JSON", "[weird]") {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    for (const int at : {1, 2}) {
      const All all = revctl::Filled<All>(at, seed);
      const auto bytes = Payload(all, at);
      CHECK(bytes.size() == revctl::WireSize(all, at));
      revctl::Reader r(bytes, at);
      All back;
      Serialize(r, back);
      REQUIRE(r.error().reason == "");
      CHECK(r.AtEnd());
      CHECK(Payload(back, at) == bytes);
      CHECK(back.greedy == all.greedy);
      CHECK(back.node == all.node);

      revctl::TraceReader trace(bytes, at);
      All traced;
      Serialize(trace, traced);
      CHECK(trace.AtEnd());
      CHECK(Payload(traced, at) == bytes);

      const std::string text = revctl::ToJson(all, at);
      revctl::JsonReader json(text, at);
      All from_json;
      Serialize(json, from_json);
      REQUIRE(json.error().reason == "");
      CHECK(Payload(from_json, at) == bytes);
      CHECK(revctl::Differences(all, from_json, at).empty());
    }
  }
}

TEST_CASE("weird types: unordered keys are written in the specified order", "[weird]") {
  revctl::Writer w(1);
  Serialize(w, std::unordered_set<weird::Id>{{3}, {-4}, {11}});
  std::int32_t words[4];
  REQUIRE(w.Bytes().size() == sizeof words);
  revctl::detail::CopyValues<std::int32_t>(words, w.Bytes().data(), 4);
  CHECK(words[0] == 3);
  CHECK(words[1] == 11);
  CHECK(words[2] == 3);
  CHECK(words[3] == -4);
}

TEST_CASE("weird types: truncated input is rejected with a path", "[weird]") {
  const auto bytes = Payload(revctl::Filled<All>(2, 0), 2);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const std::vector<std::byte> cut(bytes.begin(),
                                     bytes.begin() + static_cast<std::ptrdiff_t>(size));
    revctl::Reader r(cut, 2);
    All all;
    Serialize(r, all);
    REQUIRE_FALSE(r.Ok());
    REQUIRE(r.error().path.starts_with("All."));
    REQUIRE(r.error().offset <= size);
  }
}

TEST_CASE("weird types: a variant tree beyond the depth limit is rejected", "[weird]") {
  // Each level of the tree is written as index 2 (Sum) and a count of one.
  std::vector<std::byte> bytes;
  for (int i = 0; i < 200000; ++i)
    bytes.insert(bytes.end(), {std::byte{2}, std::byte{1}, std::byte{}, std::byte{}, std::byte{}});
  revctl::Reader r(bytes, 1);
  weird::Node node;
  Serialize(r, node);
  CHECK_FALSE(r.Ok());
  CHECK_THAT(r.error().reason, Catch::Contains("deeper"));
}

TEST_CASE("weird types: elements without bytes are charged to the budget", "[weird]") {
  const std::uint32_t count = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::byte> bytes(4);
  revctl::detail::CopyValues<std::uint32_t>(bytes.data(), &count, 1);
  std::vector<weird::Nothing> nothings;
  revctl::Reader r(bytes, 1);
  r.SetLimits({.budget = 1000000});
  Serialize(r, nothings);
  CHECK_FALSE(r.Ok());
  CHECK(nothings.size() <= 1000000);
}

TEST_CASE("weird types: an error after many empty elements is detected", "[weird]") {
  const std::uint32_t count = 1u << 24;
  std::vector<std::byte> bytes(5);
  revctl::detail::CopyValues<std::uint32_t>(bytes.data(), &count, 1);
  Behind behind;
  revctl::Reader r(bytes, 1);
  Serialize(r, behind);
  CHECK_FALSE(r.Ok());
  CHECK(r.error().path == "Behind.last");
  CHECK_THAT(r.error().reason, Catch::Contains("i32 needs 4 bytes, 1 are left"));
}

TEST_CASE("weird types: values written after an error are not on its path", "[weird]") {
  const CheckedParts whole{{{}, {.good = false, .text = ""}, {}}, {{}, {}}, {{"one", {}}}};
  revctl::Writer w(1);
  Serialize(w, whole);
  CHECK_FALSE(w.Ok());
  CHECK(w.error().path == "CheckedParts.parts[1]");
}

TEST_CASE("weird types: tracing layouts terminates without a crash", "[weird]") {
  revctl::LayoutArchive layout(2);
  All all;
  Serialize(layout, all);
  CHECK(layout.Ok());
  CHECK(layout.Types().front().type == "weird::All");
}

TEST_CASE("weird types: NaN keys are written in a fixed order", "[weird]") {
  std::vector<float> keys;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint32_t bits =
        i % 3 == 0 ? 0x3F800000u + i : (i % 3 == 1 ? 0x7FC00000u : 0xFFC00000u) + i;
    keys.push_back(std::bit_cast<float>(bits));
  }
  const auto written = [](const auto& some) {
    std::unordered_map<float, std::uint8_t> map;
    std::unordered_set<float> set;
    for (const float key : some) map.emplace(key, std::uint8_t{5}), set.insert(key);
    REQUIRE(map.size() == 300);
    revctl::Writer w(1);
    Serialize(w, map);
    Serialize(w, set);
    return std::vector<std::byte>(w.Bytes().begin(), w.Bytes().end());
  };
  const auto bytes = written(keys);
  CHECK(written(std::vector<float>(keys.rbegin(), keys.rend())) == bytes);
  std::unordered_map<float, std::uint8_t> back;
  revctl::Reader r(bytes, 1);
  Serialize(r, back);
  REQUIRE(r.Ok());
  revctl::Writer w(1);
  Serialize(w, back);
  CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), bytes.begin()));
}
