#pragma once
#include <revctl/serialize.h>

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

// A type that contains every wire type, including nested ones, and every form of gate.

namespace everything {

enum Revision {
  SR_INITIAL = 1,
  SR_MORE = 2,
  SR_LESS = 4,
  SR_LATEST = SR_LESS,
};

enum class Color : std::uint8_t { Red, Green = 7, Blue };
enum class Wide : std::int64_t { Low = -4096, High = 1ll << 40 };
enum class Yes : bool { No, Yes };

struct Vec3 {
  float x = 0, y = 0, z = 0;
  bool operator==(const Vec3&) const = default;
};
SERIALIZE_TYPE(Vec3) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
  ADD(SR_INITIAL, z);
}
SERIALIZE_END

struct Named {
  std::string name;
  Vec3 at;
  bool operator==(const Named&) const = default;
};
SERIALIZE_TYPE(Named) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, at);
}
SERIALIZE_END

struct Node {
  std::int32_t value = 0;
  std::unique_ptr<Node> left, right;
};
inline bool operator==(const Node& a, const Node& b) {
  auto same = [](const auto& x, const auto& y) { return (!x && !y) || (x && y && *x == *y); };
  return a.value == b.value && same(a.left, b.left) && same(a.right, b.right);
}
SERIALIZE_TYPE(Node) {
  ADD(SR_INITIAL, value);
  ADD(SR_INITIAL, left);
  ADD(SR_INITIAL, right);
}
SERIALIZE_END

struct Key {
  std::int16_t a = 0, b = 0;
  auto operator<=>(const Key&) const = default;
};
SERIALIZE_TYPE(Key) {
  ADD(SR_INITIAL, a);
  ADD(SR_INITIAL, b);
}
SERIALIZE_END

struct Everything {
  bool yes = false;
  std::int8_t i8 = 0;
  std::int16_t i16 = 0;
  std::int32_t i32 = 0;
  std::int64_t i64 = 0;
  std::uint8_t u8 = 0;
  std::uint16_t u16 = 0;
  std::uint32_t u32 = 0;
  std::uint64_t u64 = 0;
  float f32 = 0;
  double f64 = 0;
  char letter = 'a';
  Color color = Color::Red;
  Wide wide = Wide::Low;
  Yes answer = Yes::No;
  std::string text;
  std::vector<std::int32_t> numbers;
  std::vector<bool> bits;
  std::vector<Named> named;
  std::vector<std::vector<std::string>> lines;
  std::array<std::uint16_t, 3> triple{};
  std::uint8_t raw[4] = {};
  Named two[2];
  std::optional<Vec3> maybe;
  std::optional<std::optional<std::int32_t>> perhaps;
  std::map<std::string, std::int32_t> stats;
  std::map<Key, std::vector<Color>> by_key;
  std::unordered_map<std::int32_t, std::string> names;
  std::set<std::string> tags;
  std::unordered_set<std::int32_t> ids;
  std::pair<std::int32_t, std::string> couple;
  std::tuple<bool, double, Color> three;
  std::variant<std::int32_t, Named, std::string> either;
  std::bitset<11> flags;
  std::unique_ptr<Node> tree;
  std::int32_t kept = 0;  ///< removed at SR_LESS
  float later = 1.5f;     ///< saved since SR_MORE
  std::string rare;       ///< saved only if `yes`

  bool operator==(const Everything& o) const {
    auto tie = [](const Everything& e) {
      return std::tie(e.yes, e.i8, e.i16, e.i32, e.i64, e.u8, e.u16, e.u32, e.u64, e.f32, e.f64,
                      e.letter, e.color, e.wide, e.answer, e.text, e.numbers, e.bits, e.named,
                      e.lines, e.triple, e.maybe, e.perhaps, e.stats, e.by_key, e.names, e.tags,
                      e.ids, e.couple, e.three, e.either, e.flags, e.kept, e.later, e.rare);
    };
    return tie(*this) == tie(o) && std::equal(raw, raw + 4, o.raw) &&
           std::equal(two, two + 2, o.two) && (tree == nullptr) == (o.tree == nullptr) &&
           (!tree || *tree == *o.tree);
  }
};
SERIALIZE_TYPE(Everything) {
  ADD(SR_INITIAL, yes);
  ADD(SR_INITIAL, i8);
  ADD(SR_INITIAL, i16);
  ADD(SR_INITIAL, i32);
  ADD(SR_INITIAL, i64);
  ADD(SR_INITIAL, u8);
  ADD(SR_INITIAL, u16);
  ADD(SR_INITIAL, u32);
  ADD(SR_INITIAL, u64);
  ADD(SR_INITIAL, f32);
  ADD(SR_INITIAL, f64);
  ADD(SR_INITIAL, letter);
  ADD(SR_INITIAL, color);
  ADD(SR_INITIAL, wide);
  ADD(SR_INITIAL, answer);
  ADD(SR_INITIAL, text);
  ADD(SR_INITIAL, numbers);
  ADD(SR_INITIAL, bits);
  ADD(SR_INITIAL, named);
  ADD(SR_INITIAL, lines);
  ADD(SR_INITIAL, triple);
  ADD(SR_INITIAL, raw);
  ADD(SR_INITIAL, two);
  ADD(SR_INITIAL, maybe);
  ADD(SR_INITIAL, perhaps);
  ADD(SR_INITIAL, stats);
  ADD(SR_INITIAL, by_key);
  ADD(SR_INITIAL, names);
  ADD(SR_INITIAL, tags);
  ADD(SR_INITIAL, ids);
  CHECK_INTEGRITY(SR_MORE);
  ADD(SR_INITIAL, couple);
  ADD(SR_INITIAL, three);
  ADD(SR_INITIAL, either);
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, tree);
  REM(SR_INITIAL, SR_LESS, kept);
  REM(SR_MORE, SR_LESS, Vec3, old_position, {1, d.later, 3});
  ADD(SR_MORE, later);
  ADD_CONDITIONAL(SR_MORE, d.yes, rare);
  CHECK_INTEGRITY(SR_INITIAL);
  if (r.IsReading() && r.revision < SR_LESS) d.kept ^= old_position.x > 0 ? 1 : 0;
}
SERIALIZE_END

}  // namespace everything
