#pragma once
#include <revctl/serialize.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

// Types that are declared here and whose bodies are in split_types.cpp.

namespace split {

struct Item {
  std::int32_t id = 0;
  bool operator==(const Item&) const = default;
};
SERIALIZE_DECLARE(Item);

struct Bag {
  std::string owner;
  std::vector<Item> items;
  std::vector<Bag> inner;
  bool operator==(const Bag&) const = default;
};
SERIALIZE_DECLARE(Bag);

class Purse {
 public:
  explicit Purse(std::int32_t coins = 0) : coins_(coins) {}
  bool operator==(const Purse&) const = default;

 private:
  SERIALIZE_FRIEND(Purse);
  std::int32_t coins_;
};
SERIALIZE_DECLARE(Purse);

/// A flat type whose wire format is identical to its in-memory representation.
struct Point {
  float x = 0, y = 0, z = 0;
  bool operator==(const Point&) const = default;
};
SERIALIZE_DECLARE_FLAT(Point);

/// A flat type with gates, a bool, gaps, private members, and members whose types are only declared
/// here.
class Grain {
 public:
  Grain() = default;
  Grain(std::uint8_t kind, bool wet, float x)
      : kind_(kind), wet_(wet), at_{x, 1, 2}, path_{{{x, 0, 0}, {0, x, 0}}} {}
  bool operator==(const Grain&) const = default;

 private:
  SERIALIZE_FRIEND(Grain);
  std::uint8_t kind_ = 0;
  bool wet_ = false;
  Point at_;
  std::array<Point, 2> path_{};
};
SERIALIZE_DECLARE_FLAT(Grain);

/// A type that is not flat in any file, because only its own body is in this header, not its
/// member's.
struct Marker {
  Point at;
};
SERIALIZE_TYPE(Marker) { ADD(1, at); }
SERIALIZE_END

/// A type that points to another object of the same class (objects.h).
struct Hero {
  std::string name;
  Hero* rival = nullptr;
};
SERIALIZE_DECLARE(Hero);

/// Whether these types are flat according to split_types.cpp, which contains the bodies.
struct Flatness {
  bool item, point, grain, marker, point_is_image;
  bool operator==(const Flatness&) const = default;
};
Flatness SeenFromTheBodies();

}  // namespace split
