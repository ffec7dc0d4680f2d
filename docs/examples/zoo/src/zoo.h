// A type with every kind of wire type and every macro, for the mutants to change.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <revctl/serialize.h>
#include <revctl/view.h>

#include "master_version_list.h"

namespace zoo {

enum class Species : std::uint8_t { Ant, Bear, Cat };
enum class Mood : std::int16_t { Calm = -2, Wild = 30 };

struct Tag {
  std::string text;
  std::uint32_t number = 0;
};

SERIALIZE_TYPE(Tag) {
  ADD(SR_TAGS, text);
  ADD(SR_TAGS, number);
}
SERIALIZE_END

struct Animal {
  std::string name;
  Species species = Species::Ant;
  std::int32_t grams = 454;
  std::optional<Tag> tag;
};

SERIALIZE_TYPE(Animal) {
  ADD(SR_OPENING, name);
  ADD(SR_OPENING, species);
  REM(SR_OPENING, SR_METRIC, std::int16_t, pounds, 7);
  ADD(SR_METRIC, grams);
  ADD(SR_TAGS, tag);
  if (r.IsReading() && r.revision < SR_METRIC) d.grams = pounds * 454;
}
SERIALIZE_END

struct Keeper {
  std::string name;
  std::int64_t since = 0;
  std::unique_ptr<Keeper> deputy;
};

SERIALIZE_TYPE(Keeper) {
  ADD(SR_OPENING, name);
  ADD(SR_OPENING, since);
  ADD(SR_OPENING, deputy);
}
SERIALIZE_END

struct Place {
  std::int16_t x = 0, y = 0;
};

SERIALIZE_TYPE(Place) {
  ADD(SR_OPENING, x);
  ADD(SR_OPENING, y);
}
SERIALIZE_END

struct Cage : Place {
  std::vector<Animal> animals;
  std::array<std::uint16_t, 3> bars{};
  std::int32_t corners[2] = {0, 0};
  std::map<std::string, std::int32_t> food;
  std::unordered_map<std::uint16_t, std::string> visitors;
  std::set<std::string> names;
  std::unordered_set<std::uint32_t> tickets;
  std::pair<std::int16_t, std::int16_t> size;
  std::tuple<std::uint8_t, bool, float> hours;
  std::variant<std::int32_t, std::string, Tag> guest;
  std::bitset<12> doors;
  std::unique_ptr<Keeper> keeper;
  std::uint8_t floor : 3 = 0;
  Mood mood = Mood::Calm;
  double temperature = 0;
  std::string warning;
  std::uint32_t fee = 5;
  std::uint64_t cache = 0;
  bool open = false;
  std::vector<float> heights;
  std::vector<std::vector<std::uint8_t>> grid;
};

SERIALIZE_TYPE(Cage) {
  ADD_BASE(SR_OPENING, Place);
  ADD(SR_OPENING, animals);
  ADD(SR_OPENING, bars);
  ADD(SR_OPENING, corners);
  ADD(SR_OPENING, food);
  ADD(SR_OPENING, visitors);
  ADD(SR_OPENING, names);
  ADD(SR_OPENING, tickets);
  CHECK_INTEGRITY(SR_OPENING);
  ADD(SR_OPENING, size);
  ADD(SR_OPENING, hours);
  ADD(SR_TAGS, guest);
  ADD(SR_OPENING, doors);
  ADD(SR_OPENING, keeper);
  ADD_BITS(SR_OPENING, std::uint8_t, floor);
  ADD(SR_OPENING, mood);
  ADD(SR_OPENING, temperature);
  ADD_CONDITIONAL(SR_OPENING, d.mood == Mood::Wild, warning);
  REM_CONDITIONAL(SR_OPENING, SR_TAGS, d.mood == Mood::Calm, std::uint32_t, entry, 3);
  ADD(SR_TAGS, fee);
  REM(SR_OPENING, SR_METRIC, cache);
  ADD(SR_OPENING, open);
  ADD(SR_OPENING, heights);
  ADD(SR_OPENING, grid);
  CHECK_INTEGRITY(SR_OPENING);
  if (r.IsReading() && r.revision < SR_TAGS) d.fee = entry / 2;
}
SERIALIZE_END

/// Bulk data that a program can use directly in a memory-mapped file.
struct Survey {
  revctl::TextView title;
  revctl::View<float> heights;
  revctl::View<Place> path;
  revctl::View<bool> wet;
};

SERIALIZE_TYPE(Survey) {
  ADD(SR_METRIC, title);
  ADD_ALIGNED(SR_METRIC, 16, heights);
  ADD_ALIGNED(SR_METRIC, 2, path);
  ADD(SR_METRIC, wet);
}
SERIALIZE_END

}  // namespace zoo
