#include <revctl/objects.h>
#include <revctl/plain.h>
#include <revctl/plain_serialize.h>
#include <revctl/serialize.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <sstream>

// Tests the example bytes in docs/formats/save-file.md. The code must write exactly these bytes and
// be able to read them.

namespace page {

enum class Terrain : std::uint8_t { Grass = 0, Rock = 2 };
struct Chapter {
  std::chrono::seconds length{};
  Terrain ground = Terrain::Grass;
  bool operator==(const Chapter&) const = default;
};
SERIALIZE_TYPE(Chapter) {
  ADD(1, length);
  ADD(1, ground);
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
  float radius = 0;
};
SERIALIZE_TYPE(Circle) {
  ADD_BASE(1, Shape);
  ADD(1, radius);
}
SERIALIZE_END
REVCTL_REGISTER_CLASS(Shape, Circle, "circle");

enum class Wood : std::uint8_t { Oak, Pine };
struct Door {
  PLAIN(Door);
  FIELD(std::uint16_t, room, 1);
  FIELD(bool, open, 1);
  FIELD(std::int16_t, health, 1);
  FIELD(Wood, wood, 1);
};

struct Weapon {
  std::int32_t charges = 0;
};
SERIALIZE_TYPE(Weapon) { ADD(1, charges); }
SERIALIZE_END
struct Actor {
  std::int32_t hp = 0;
  Actor* target = nullptr;
  std::unique_ptr<Weapon> weapon;
};
SERIALIZE_TYPE(Actor) {
  ADD(1, hp);
  ADD_REF(1, target);
  ADD_REF(1, weapon);
}
SERIALIZE_END
const revctl::ObjectClasses& Classes() {
  static const auto classes = revctl::ObjectClasses().Add<Actor>("Actor").Add<Weapon>("Weapon");
  return classes;
}
struct Cast {
  std::vector<std::unique_ptr<Actor>> actors;
};
SERIALIZE_TYPE(Cast) { ADD_OBJECTS(1, Classes(), actors); }
SERIALIZE_END

/// Returns the bytes of the block ```bytes NAME on the page, which are the pairs of hex digits at
/// the beginning of each line.
std::vector<std::byte> OnThePage(const std::string& name) {
  std::ifstream file(REVCTL_SAVE_FILE_PAGE);
  REQUIRE(file.good());
  std::vector<std::byte> bytes;
  std::string line;
  while (std::getline(file, line) && line != "```bytes " + name) continue;
  while (std::getline(file, line) && line != "```") {
    std::istringstream words(line.substr(0, line.find("  ")));
    for (std::string word; words >> word;)
      bytes.push_back(static_cast<std::byte>(std::stoi(word, nullptr, 16)));
  }
  return bytes;
}

/// Checks that the code writes exactly the bytes on the page and can read them back. Returns the
/// value read.
template <class T>
T AsOnThePage(const std::string& name, const T& value) {
  const std::vector<std::byte> bytes = OnThePage(name);
  REQUIRE_FALSE(bytes.empty());
  revctl::Writer w(1);
  Serialize(w, value);
  CHECK(std::vector<std::byte>(w.Bytes().begin(), w.Bytes().end()) == bytes);
  T back{};
  revctl::Reader r(bytes, 1);
  Serialize(r, back);
  INFO(r.error().path << ": " << r.error().reason);
  CHECK(r.AtEnd());
  return back;
}

}  // namespace page

template <>
struct revctl::WireAs<std::chrono::seconds> {
  using Type = std::int32_t;
  static Type ToWire(std::chrono::seconds time) { return static_cast<Type>(time.count()); }
  static bool FromWire(Type wire, std::chrono::seconds& time) {
    return time = std::chrono::seconds(wire), true;
  }
};
template <>
struct revctl::WireAs<page::Terrain> : revctl::EnumWireAs<page::Terrain, std::int32_t> {};

TEST_CASE("page: types with a WireAs", "[format]") {
  const page::Chapter chapter{std::chrono::seconds(90), page::Terrain::Rock};
  CHECK(page::AsOnThePage("wire_as", chapter) == chapter);
}

TEST_CASE("page: polymorphic pointers", "[format]") {
  std::array<std::unique_ptr<page::Shape>, 2> shapes;
  auto circle = std::make_unique<page::Circle>();
  circle->label = "o";
  circle->radius = 2.5F;
  shapes[0] = std::move(circle);
  const auto back = page::AsOnThePage("polymorphic", shapes);
  CHECK(dynamic_cast<page::Circle&>(*back[0]).radius == 2.5F);
  CHECK(back[1] == nullptr);
}

TEST_CASE("page: plain structs", "[format]") {
  page::Door door;
  door.room = 3;
  door.open = true;
  door.health = -2;
  door.wood = page::Wood::Pine;
  CHECK(page::AsOnThePage("plain", door).health == -2);
}

TEST_CASE("page: object streams", "[format]") {
  page::Cast cast;
  for (const std::int32_t hp : {10, 20}) {
    cast.actors.push_back(std::make_unique<page::Actor>());
    cast.actors.back()->hp = hp;
  }
  cast.actors[0]->target = cast.actors[1].get();
  cast.actors[1]->weapon = std::make_unique<page::Weapon>(page::Weapon{3});
  const page::Cast back = page::AsOnThePage("objects", cast);
  CHECK(back.actors.at(0)->target == back.actors.at(1).get());
  CHECK(back.actors.at(1)->weapon->charges == 3);
}
