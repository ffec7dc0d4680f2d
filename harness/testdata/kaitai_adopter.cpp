// A harness program whose files are read in other languages. Its types contain nested containers of
// every kind, and every form of condition that Kaitai Struct can express. `Odd` has conditions that
// Kaitai Struct cannot express.
#include <revctl/harness.h>

#include <array>
#include <bitset>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#include "harness/testdata/adopter_list.h"

namespace zoo {

enum class Mood : std::int8_t { Calm = 0, Wild = 5, Asleep = -3 };

struct Point {
  float x = 0, y = 0;
};
SERIALIZE_TYPE(Point) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
}
SERIALIZE_END

struct Named {
  std::string name;
  std::uint8_t flags = 0;
};
SERIALIZE_TYPE(Named) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, flags);
}
SERIALIZE_END

struct Node {
  std::int16_t value = 0;
  std::unique_ptr<Node> next;
};
SERIALIZE_TYPE(Node) {
  ADD(SR_INITIAL, value);
  ADD(SR_INITIAL, next);
}
SERIALIZE_END

struct Animal : Named {
  Mood mood = Mood::Calm;
  bool small = false, tame = false;
  std::uint8_t legs : 4 = 0;
  std::int64_t born = 0;
  std::uint64_t serial = 0;
  double weight = 0;
  std::map<std::string, std::vector<std::int32_t>> log;
  std::unordered_map<std::uint16_t, Mood> moods;
  std::set<std::string> words;
  std::variant<std::int32_t, std::string, Point, Mood, bool> last;
  std::array<std::array<std::int16_t, 2>, 3> grid{};
  std::optional<Point> home;
  std::optional<std::vector<bool>> tests;
  std::bitset<12> bits;
  std::tuple<std::uint8_t, bool, std::string> mark;
  std::pair<Mood, std::optional<std::uint32_t>> rated;
  std::unique_ptr<Node> chain;
  std::vector<std::vector<Point>> rows;
  std::int16_t HTTPPort = 0;
  Point where;
  std::uint16_t unnamed = 0;
  // Each of these members depends on a condition.
  std::uint32_t wild = 0, masked = 0, both = 0, either = 0, late = 0, inner = 0, longer = 0,
                housed = 0, listed = 0;
  std::uint32_t small_wild = 0;
};
SERIALIZE_TYPE(Animal) {
  ADD_BASE(SR_INITIAL, Named);
  ADD(SR_INITIAL, mood);
  ADD(SR_INITIAL, small);
  ADD(SR_INITIAL, tame);
  ADD_BITS(SR_INITIAL, std::uint8_t, legs);
  ADD(SR_INITIAL, born);
  ADD(SR_INITIAL, serial);
  REM(SR_INITIAL, SR_NO_FOULS, std::int32_t, age, 7);
  ADD_CONDITIONAL(SR_FOULS, d.mood == Mood::Wild, wild);
  ADD_CONDITIONAL(SR_FOULS, (d.flags & 0x04) != 0, masked);
  ADD_CONDITIONAL(SR_FOULS, d.small && !d.tame, both);
  ADD(SR_INITIAL, weight);
  ADD(SR_INITIAL, log);
  ADD(SR_INITIAL, moods);
  ADD(SR_INITIAL, words);
  CHECK_INTEGRITY(SR_FOULS);
  ADD(SR_INITIAL, last);
  ADD(SR_FOULS, grid);
  ADD(SR_FOULS, home);
  ADD(SR_FOULS, tests);
  ADD(SR_PLAYERS, bits);
  ADD(SR_PLAYERS, mark);
  ADD(SR_PLAYERS, rated);
  ADD(SR_PLAYERS, chain);
  ADD(SR_PLAYERS, rows);
  ADD(SR_PLAYERS, HTTPPort);
  Serialize(r, d.unnamed);
  ADD(SR_PLAYERS, where);
  ADD_CONDITIONAL(SR_PLAYERS, d.born < 0 || d.serial > 100u, either);
  ADD_CONDITIONAL(SR_PLAYERS, r.revision >= SR_NO_FOULS && d.HTTPPort - 1 >= 80, late);
  ADD_CONDITIONAL(SR_PLAYERS, d.where.x > 0.5f, inner);
  ADD_CONDITIONAL(SR_PLAYERS, d.rows.size() > 1 && !d.log.empty(), longer);
  ADD_CONDITIONAL(SR_PLAYERS, d.home.has_value(), housed);
  ADD_CONDITIONAL(SR_PLAYERS, d.name != "" && d.name.size() < 20, listed);
  ADD_CONDITIONAL(SR_PLAYERS, (d.mood > Mood::Calm) == d.small, small_wild);
  CHECK_INTEGRITY(SR_PLAYERS);
}
SERIALIZE_END

/// A type with conditions that Kaitai Struct cannot express.
struct Odd {
  std::uint8_t mode = 0;
  std::uint32_t big = 0;
  std::string in_branch;
  std::int32_t called = 0, wrapped = 0;
};
inline bool Lucky(int n) { return n % 7 == 3; }
SERIALIZE_TYPE(Odd) {
  ADD(SR_INITIAL, mode);
  ADD(SR_INITIAL, big);
  if (d.mode < 2) {
    ADD(SR_INITIAL, in_branch);
  }
  ADD_CONDITIONAL(SR_INITIAL, Lucky(d.mode), called);
  ADD_CONDITIONAL(SR_INITIAL, d.big - 1 > 5, wrapped);
}
SERIALIZE_END

HARNESS_TYPE(Animal, SR_INITIAL);
HARNESS_TYPE(Odd, SR_INITIAL);
HARNESS_SAMPLE(Animal, "by hand") {
  d.name = "Zo\xc3\xab \xf0\x9f\xa6\x8e";
  d.flags = 6;
  d.mood = Mood::Wild;
  d.small = true;
  d.born = -1;
  d.weight = 0.1;
  d.log["fed"] = {1, -2};
  d.last = Point{0.1f, -0.0f};
  d.home = Point{1, 2};
  d.tests = {true, false};
  d.chain = std::make_unique<Node>();
  d.chain->next = std::make_unique<Node>();
  d.rows = {{}, {Point{}}};
  d.HTTPPort = 8080;
  d.where.x = 1;
}

}  // namespace zoo
