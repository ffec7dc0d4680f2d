#include <catch2/catch.hpp>

#include <revctl/fill.h>
#include <revctl/json_reader.h>
#include <revctl/json_writer.h>
#include <revctl/layout_archive.h>
#include <revctl/serialize.h>

#include <chrono>
#include <deque>

// Tests the support for types of other libraries: WireAs, SequenceOf, registered classes.

namespace {

struct Text {
  std::u16string units;
  bool operator==(const Text&) const = default;
};

struct Angle {
  float turns = 0;
};

/// A container as in game engines, with fewer functions than a vector.
template <class T>
class Chunked {
 public:
  std::size_t size() const { return items_.size(); }
  void clear() { items_.clear(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  void emplace_back() { items_.emplace_back(); }
  T& back() { return items_.back(); }
  bool operator==(const Chunked&) const = default;
  void Push(T value) { items_.push_back(std::move(value)); }

 private:
  std::deque<T> items_;
};

}  // namespace

template <>
struct revctl::WireAs<Text> {
  using Type = std::vector<std::uint16_t>;
  static Type ToWire(const Text& text) { return Type(text.units.begin(), text.units.end()); }
  static bool FromWire(Type&& wire, Text& text) {
    text.units.assign(wire.begin(), wire.end());
    return text.units.find(u'\0') == std::u16string::npos;
  }
};
template <>
struct revctl::WireAs<Angle> {
  using Type = std::uint16_t;
  static Type ToWire(const Angle& angle) { return static_cast<Type>(angle.turns * 65536); }
  static bool FromWire(Type wire, Angle& angle) {
    return angle.turns = static_cast<float>(wire) / 65536, true;
  }
};
template <>
struct revctl::WireAs<std::chrono::seconds> {
  using Type = std::int64_t;
  static Type ToWire(std::chrono::seconds s) { return s.count(); }
  static bool FromWire(Type wire, std::chrono::seconds& s) {
    return s = std::chrono::seconds(wire), true;
  }
};
template <class T>
struct revctl::SequenceOf<Chunked<T>> {
  using Element = T;
};

namespace {

struct Small {
  std::int32_t a = 0;
  bool operator==(const Small&) const = default;
};
SERIALIZE_TYPE(Small) { ADD(1, a); }
SERIALIZE_END

struct Foreign {
  Text text;
  Angle angle;
  std::vector<Angle> angles;
  std::chrono::seconds age{0};
  Chunked<std::int32_t> numbers;
  Chunked<Small> smalls;
  Chunked<bool> bools;
  std::map<std::int32_t, Chunked<std::string>> words;
};
SERIALIZE_TYPE(Foreign) {
  ADD(1, text);
  ADD(1, angle);
  ADD(1, angles);
  ADD(1, age);
  ADD(1, numbers);
  ADD(1, smalls);
  ADD(1, bools);
  ADD(1, words);
}
SERIALIZE_END

struct Shape {
  virtual ~Shape() = default;
  std::string label;
};
REVCTL_POLYMORPHIC(Shape);
SERIALIZE_TYPE(Shape) { ADD(1, label); }
SERIALIZE_END

struct Circle : Shape {
  float radius = 1;
};
SERIALIZE_TYPE(Circle) {
  ADD_BASE(1, Shape);
  ADD(1, radius);
}
SERIALIZE_END
struct Group : Shape {
  std::vector<std::unique_ptr<Shape>> parts;
};
SERIALIZE_TYPE(Group) {
  ADD_BASE(1, Shape);
  ADD(1, parts);
}
SERIALIZE_END
struct Secret : Shape {};

REVCTL_REGISTER_CLASS(Shape, Circle, "circle");
REVCTL_REGISTER_CLASS(Shape, Group, "group");
REVCTL_REGISTER_CLASS(Shape, Shape, "shape");

/// A class that returns its own name, for programs without RTTI.
struct Effect {
  virtual ~Effect() = default;
  virtual const char* RevctlClassName() const = 0;
};
REVCTL_POLYMORPHIC(Effect);
struct Burn final : Effect {
  std::int32_t damage = 0;
  const char* RevctlClassName() const override { return "burn"; }
};
SERIALIZE_TYPE(Burn) { ADD(1, damage); }
SERIALIZE_END
REVCTL_REGISTER_CLASS(Effect, Burn, "burn");

template <class T>
std::vector<std::byte> Payload(const T& value) {
  revctl::Writer w(1);
  Serialize(w, value);
  REQUIRE(w.Ok());
  CHECK(revctl::WireSize(value, 1) == w.Bytes().size());
  revctl::TraceWriter trace(1);
  Serialize(trace, value);
  CHECK(std::equal(w.Bytes().begin(), w.Bytes().end(), trace.Bytes().begin(), trace.Bytes().end()));
  return {w.Bytes().begin(), w.Bytes().end()};
}

/// Writes a value as bytes and as JSON, reads both back, and checks that both results are written
/// as the same bytes.
template <class T>
void BothWays(const T& value) {
  const auto bytes = Payload(value);
  revctl::Reader r(bytes, 1);
  T back{};
  Serialize(r, back);
  INFO(r.error().path << " " << r.error().reason);
  REQUIRE(r.AtEnd());
  CHECK(Payload(back) == bytes);
  const std::string text = revctl::ToJson(value, 1);
  revctl::JsonReader json(text, 1);
  T from_json{};
  Serialize(json, from_json);
  INFO(json.error().path << " " << json.error().reason);
  REQUIRE(json.Ok());
  CHECK(Payload(from_json) == bytes);
}

}  // namespace

TEST_CASE("extend: types with a WireAs, and custom containers", "[extend]") {
  Foreign foreign;
  foreign.text.units = u"ab";
  foreign.angle.turns = 0.25f;
  foreign.angles.resize(3);
  foreign.age = std::chrono::seconds(-5);
  foreign.numbers.Push(7);
  foreign.smalls.Push({8});
  foreign.bools.Push(true);
  foreign.words[5].Push("x");
  BothWays(foreign);
  CHECK(revctl::TypeName<Foreign>() == "Foreign");
  CHECK(revctl::TypeName<std::vector<Angle>>() == "vector<u16>");
  CHECK(revctl::TypeName<Chunked<Small>>() == "vector<Small>");
  int refused_fills = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    revctl::Filler filler(1, seed);
    Foreign filled;
    Serialize(filler, filled);
    if (filler.Ok()) {
      BothWays(filled);
    } else {
      ++refused_fills;  // WireAs rejects strings with a zero byte
    }
  }
  CHECK(refused_fills < 4);

  const auto zero = Payload(std::vector<std::uint16_t>{0});
  revctl::Reader refused(zero, 1);
  Text text;
  Serialize(refused, text);
  CHECK(refused.error().reason == "the type's WireAs conversion rejects the value");
  CHECK(refused.error().refused);  // the bytes are valid, but WireAs rejects the value
}

TEST_CASE("extend: unique_ptr of registered classes", "[extend]") {
  auto group = std::make_unique<Group>();
  group->label = "g";
  auto circle = std::make_unique<Circle>();
  circle->radius = 2;
  group->parts.push_back(std::move(circle));
  group->parts.push_back(nullptr);
  group->parts.push_back(std::make_unique<Group>());
  const std::unique_ptr<Shape> shape = std::move(group);
  BothWays(shape);
  CHECK_THAT(
      revctl::ToJson(shape, 1, 0),
      Catch::StartsWith(
          R"({"class": "group", "value": {"Shape": {"label": "g"}, "parts": [{"class": "circle")"));
  const std::unique_ptr<Effect> effect = std::make_unique<Burn>();
  CHECK(Payload(effect).size() == 1 + 4 + 4 + 4);
  BothWays(effect);
}

TEST_CASE("extend: unknown and unregistered classes are errors", "[extend]") {
  const std::unique_ptr<Shape> secret = std::make_unique<Secret>();
  revctl::Writer w(1);
  Serialize(w, secret);
  CHECK_THAT(w.error().reason, Catch::Contains("REVCTL_REGISTER_CLASS"));
  CHECK(revctl::ToJson(secret, 1).empty());

  auto bytes = Payload(std::unique_ptr<Shape>(new Circle));
  bytes[5] = std::byte{'k'};
  revctl::Reader r(bytes, 1);
  std::unique_ptr<Shape> shape;
  Serialize(r, shape);
  CHECK(r.error().reason == "no class is registered as \"kircle\"");
  CHECK_FALSE(revctl::RegisterClass<Shape, Circle>("circle"));
}

TEST_CASE("extend: fillers create registered classes, and layouts contain them", "[extend]") {
  std::set<std::string> classes;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    std::vector<std::unique_ptr<Shape>> shapes;
    revctl::Filler filler(1, seed);
    revctl::LayoutArchive layouts(filler);
    Serialize(layouts, shapes);
    REQUIRE(layouts.Ok());
    for (const auto& type : layouts.Types()) classes.insert(type.type);
    BothWays(shapes);
  }
  CHECK(classes == std::set<std::string>{"polymorphic<Shape>", "Circle", "Group", "Shape"});
}

TEST_CASE("polymorphic: objects are charged by size, and chains count as depth",
          "[extend][limits]") {
  // Write a thousand circles of nine bytes each, plus their labels.
  std::vector<std::unique_ptr<Shape>> circles;
  for (int i = 0; i < 1000; ++i) circles.push_back(std::make_unique<Circle>());
  const auto bytes = Payload(circles);
  const auto read = [&](std::size_t budget) {
    std::vector<std::unique_ptr<Shape>> back;
    revctl::Reader r(bytes, 1);
    r.SetLimits({.budget = budget});
    Serialize(r, back);
    return r.Ok() ? std::string() : r.error().reason;
  };
  constexpr std::size_t pointers = 1000 * sizeof(std::unique_ptr<Shape>);
  CHECK_THAT(read(pointers + 1000 * sizeof(Circle) - 1), Catch::Contains("budget"));
  CHECK_THAT(read(pointers), Catch::Contains("budget"));
  CHECK(read(0) == "");
  CHECK(read(pointers + 1000 * (sizeof(Circle) + 2 * revctl::detail::kNode)) == "");

  // Nest 40 groups. Each level consists of a pointer and a vector.
  std::unique_ptr<Shape> chain = std::make_unique<Circle>();
  for (int i = 0; i < 40; ++i) {
    auto group = std::make_unique<Group>();
    group->parts.push_back(std::move(chain));
    chain = std::move(group);
  }
  const auto deep = Payload(chain);
  for (const int depth : {20, 80, 500}) {
    std::unique_ptr<Shape> back;
    revctl::Reader r(deep, 1);
    r.SetLimits({.depth = depth});
    Serialize(r, back);
    INFO(r.error().reason);
    CHECK(r.Ok() == (depth == 500));
    if (!r.Ok()) CHECK_THAT(r.error().reason, Catch::Contains("nested deeper than the limit"));
  }
}
