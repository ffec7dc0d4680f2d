// A body that has always normalized values while reading normalizes its own samples, too, so
// samples cannot reveal that it alters files. Far-reaching goldens can, because the body did not
// write their bytes.
#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include <revctl/serialize.h>

#include "harness/samples/reaching.h"
#include "harness/samples/reaching_inventor.h"
#include "harness/testing/test_program.h"

namespace reaching {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2 };

enum class Habit {
  None,
  CutsNames,
  RefusesNames,
  CutsNotes,
  RefusesLongNotes,
  TrimsBlanks,
  TrimsBefore,
  DropsReturns,
  UnixLines,
  DropsMark,
  ReplacesBadUtf8,
  EndsAtNul,
  DropsEmpty,
  DropsEqual,
  CutsMarks,
  CutsRows,
  CutsWarnings,
  NoInfiniteRisk,
  SwapsLimits,
  ZeroIsNone,
  NanIsZero,
  NanIsQuiet,
  NoInfinity,
  FlushesSmallest,
  NoMinusZero,
  LastIsFirst,
  FloorBelowSeven,
  NoHighestBit,
  NoEmptyKey,
  NoHighestKey,
  IgnoresCase,
  TrimsKeys,
  KeysOfXAlone,
  KeysOfBytes,
  BadgesAlike,
  ClampsOnWire,
  ScalesBothWays,
  OtherOrder,
  Crashes,
};
Habit habit = Habit::None;
bool Is(Habit what) { return habit == what; }

enum class Color : std::uint8_t { Red, Green, Last = 200 };

struct Point {
  std::int16_t x = 0, y = 0;
};
SERIALIZE_TYPE(Point) {
  ADD(SR_INITIAL, x);
  ADD(SR_INITIAL, y);
}
SERIALIZE_END
struct PointLess {
  bool operator()(const Point& a, const Point& b) const {
    return a.x != b.x || Is(Habit::KeysOfXAlone) ? a.x < b.x : a.y < b.y;
  }
};

struct TextLess {
  bool operator()(const std::string& a, const std::string& b) const {
    return Is(Habit::IgnoresCase) || Is(Habit::TrimsKeys) ? Folded(a) < Folded(b) : a < b;
  }
  static std::string Folded(std::string text) {
    if (Is(Habit::IgnoresCase)) {
      for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    while (Is(Habit::TrimsKeys) && text.ends_with(' ')) text.pop_back();
    return text;
  }
};
struct NumberLess {
  bool operator()(std::uint32_t a, std::uint32_t b) const {
    return Is(Habit::KeysOfBytes) ? (a & 0xFF) < (b & 0xFF) : a < b;
  }
};

struct Angle {
  float turns = 0;
};

struct Badge {
  std::int32_t number = 0;
  bool operator==(const Badge& other) const {
    return number == other.number || (Is(Habit::BadgesAlike) && number / 2 == other.number / 2);
  }
};
SERIALIZE_TYPE(Badge) { ADD(SR_INITIAL, number); }
SERIALIZE_END
struct HashBadge {
  std::size_t operator()(const Badge& badge) const {
    return static_cast<std::size_t>(badge.number);
  }
};

struct Far {
  std::string name;
  std::vector<std::string> notes;
  std::vector<std::int16_t> marks;
  float speed = 0;
  double mass = 0;
  std::optional<std::int32_t> bonus;
  Color color = Color::Red;
  std::string warning;  ///< visited only if `color` is green
  float risk = 0;       ///< visited only if `color` is green
  std::int32_t least = 0, most = 0;
  std::vector<std::vector<std::uint8_t>> rows;
  std::uint8_t floor : 3 = 0;
  std::bitset<11> flags;
  std::map<std::string, std::int32_t, TextLess> prices;
  std::map<Point, std::int32_t, PointLess> cells;
  std::set<std::uint32_t, NumberLess> ids;
  std::unordered_map<Badge, std::int32_t, HashBadge> badges;
  Angle angle;
};

void Normalise(Far& d) {
  if (Is(Habit::CutsNames) && d.name.size() > 31) d.name.resize(31);
  for (std::string& note : d.notes) {
    if (Is(Habit::CutsNotes) && note.size() > 255) note.resize(255);
  }
  while (Is(Habit::TrimsBlanks) && d.name.ends_with(' ')) d.name.pop_back();
  while (Is(Habit::TrimsBefore) && d.name.starts_with(' ')) d.name.erase(0, 1);
  if (Is(Habit::DropsReturns)) std::erase(d.name, '\r');
  if (const auto at = d.name.find("\r\n"); Is(Habit::UnixLines) && at != std::string::npos)
    d.name.erase(at, 1);
  if (Is(Habit::DropsMark) && d.name.starts_with("\xEF\xBB\xBF")) d.name.erase(0, 3);
  if (Is(Habit::ReplacesBadUtf8)) std::replace(d.name.begin(), d.name.end(), '\xFF', '?');
  if (Is(Habit::EndsAtNul)) d.name = d.name.c_str();
  if (Is(Habit::DropsEmpty)) std::erase_if(d.notes, [](const auto& note) { return note.empty(); });
  if (Is(Habit::DropsEqual))
    d.marks.erase(std::unique(d.marks.begin(), d.marks.end()), d.marks.end());
  if (Is(Habit::CutsMarks) && d.marks.size() > 256) d.marks.resize(256);
  for (auto& row : d.rows) {
    if (Is(Habit::CutsRows) && row.size() > 200) row.resize(200);
  }
  if (Is(Habit::CutsWarnings) && d.warning.size() > 255) d.warning.resize(255);
  if (Is(Habit::NoInfiniteRisk) && d.risk > 1e30F) d.risk = 1e30F;
  if (Is(Habit::SwapsLimits) && d.least > d.most) std::swap(d.least, d.most);
  if (Is(Habit::ZeroIsNone) && d.bonus == 0) d.bonus.reset();
  if (Is(Habit::NanIsZero) && std::isnan(d.speed)) d.speed = 0;
  if (Is(Habit::NanIsQuiet) && std::isnan(d.mass)) d.mass = std::nan("");
  if (Is(Habit::NoInfinity) && std::isinf(d.mass))
    d.mass = std::copysign(std::numeric_limits<double>::max(), d.mass);
  if (Is(Habit::FlushesSmallest) && std::fpclassify(d.speed) == FP_SUBNORMAL) d.speed = 0;
  if (Is(Habit::NoMinusZero) && d.mass == 0) d.mass = 0;
  if (Is(Habit::LastIsFirst) && d.color == Color::Last) d.color = Color::Red;
  if (Is(Habit::FloorBelowSeven) && d.floor == 7) d.floor = 6;
  if (Is(Habit::NoHighestBit) && d.flags.count() == 1) d.flags.reset(10);
  if (Is(Habit::NoEmptyKey)) d.prices.erase("");
  if (Is(Habit::NoHighestKey)) d.badges.erase(Badge{std::numeric_limits<std::int32_t>::max()});
}

}  // namespace reaching

template <>
struct revctl::WireAs<reaching::Angle> {
  using Type = std::uint16_t;
  static float Whole() { return reaching::Is(reaching::Habit::ScalesBothWays) ? 360.0F : 1.0F; }
  static Type ToWire(const reaching::Angle& angle) {
    return static_cast<Type>(std::lround(angle.turns / Whole() * 4096));
  }
  static bool FromWire(Type&& wire, reaching::Angle& angle) {
    if (reaching::Is(reaching::Habit::ClampsOnWire)) wire = std::min<Type>(wire, 30000);
    angle.turns = static_cast<float>(wire) * Whole() / 4096;
    return true;
  }
};
template <>
struct revctl::KeyOrder<reaching::Badge> {
  static bool Less(const reaching::Badge& a, const reaching::Badge& b) {
    return reaching::Is(reaching::Habit::OtherOrder) ? b.number < a.number : a.number < b.number;
  }
};

namespace reaching {

SERIALIZE_TYPE(Far) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, notes);
  if (Is(Habit::RefusesNames) && d.name.size() > 31) r.Fail("a long name");
  if (Is(Habit::RefusesLongNotes) && !d.notes.empty() && d.notes[0].size() > 255)
    r.Fail("a long note");
  ADD(SR_INITIAL, marks);
  ADD(SR_INITIAL, speed);
  ADD(SR_INITIAL, mass);
  ADD(SR_INITIAL, bonus);
  ADD(SR_INITIAL, color);
  ADD_CONDITIONAL(SR_INITIAL, d.color == Color::Green, warning);
  ADD_CONDITIONAL(SR_INITIAL, d.color == Color::Green, risk);
  ADD(SR_INITIAL, least);
  ADD(SR_INITIAL, most);
  ADD(SR_INITIAL, rows);
  ADD_BITS(SR_INITIAL, std::uint8_t, floor);
  ADD(SR_INITIAL, flags);
  ADD(SR_INITIAL, prices);
  ADD(SR_INITIAL, cells);
  ADD(SR_INITIAL, ids);
  ADD(SR_INITIAL, badges);
  ADD(SR_INITIAL, angle);
  if (Is(Habit::Crashes) && d.marks.size() == 257) ::kill(::getpid(), SIGKILL);
  if constexpr (requires { d.marks.clear(); }) {
    if (r.IsReading()) Normalise(d);
  }
}
SERIALIZE_END

}  // namespace reaching

namespace revctl::harness::test {
namespace {

using namespace reaching;

class With {
 public:
  explicit With(Habit what) { habit = what; }
  With(const With&) = delete;
  ~With() { habit = Habit::None; }
};

std::vector<revctl::golden::Case> Cases(const Folder& folder) {
  std::vector<revctl::golden::Case> cases;
  const revctl::golden::Store store = revctl::golden::Store::Open(folder.path());
  for (const revctl::golden::StoredRecord& stored : store.records())
    for (const revctl::golden::Case& item : stored.record.cases) cases.push_back(item);
  return cases;
}

}  // namespace

TEST_CASE("check: far-reaching goldens reveal readers that normalize",
          "[harness][samples][reaching]") {
  const Program program = Program(1).Type<Far>();
  const Folder folder;
  program.Record(folder);
  {
    const CheckResult sound = program.Check(folder);
    INFO(Text(sound));
    CHECK(sound.findings.empty());
  }
  const std::vector<std::pair<Habit, std::string>> breaks = {
      {Habit::CutsNames, "GH004 reaching::Far.name"},
      {Habit::RefusesNames, "GH002 reaching::Far."},
      {Habit::CutsNotes, "GH004 reaching::Far.notes[0]"},
      {Habit::RefusesLongNotes, "GH002 reaching::Far."},
      {Habit::TrimsBlanks, "GH004 reaching::Far.name"},
      {Habit::TrimsBefore, "GH004 reaching::Far.name"},
      {Habit::DropsReturns, "GH004 reaching::Far.name"},
      {Habit::UnixLines, "GH004 reaching::Far.name"},
      {Habit::DropsMark, "GH004 reaching::Far.name"},
      {Habit::ReplacesBadUtf8, "GH004 reaching::Far.name"},
      {Habit::EndsAtNul, "GH004 reaching::Far.name"},
      {Habit::DropsEmpty, "GH004 reaching::Far.notes"},
      {Habit::DropsEqual, "GH004 reaching::Far.marks"},
      {Habit::CutsMarks, "GH004 reaching::Far.marks"},
      {Habit::CutsRows, "GH004 reaching::Far.rows[0]"},
      {Habit::CutsWarnings, "GH004 reaching::Far.warning"},
      {Habit::NoInfiniteRisk, "GH004 reaching::Far.risk"},
      {Habit::SwapsLimits, "GH004 reaching::Far.least"},
      {Habit::ZeroIsNone, "GH004 reaching::Far.bonus"},
      {Habit::NanIsZero, "GH004 reaching::Far.speed"},
      {Habit::NanIsQuiet, "GH004 reaching::Far.mass"},
      {Habit::NoInfinity, "GH004 reaching::Far.mass"},
      {Habit::FlushesSmallest, "GH004 reaching::Far.speed"},
      {Habit::NoMinusZero, "GH004 reaching::Far.mass"},
      {Habit::LastIsFirst, "GH004 reaching::Far.color"},
      {Habit::FloorBelowSeven, "GH004 reaching::Far.floor"},
      {Habit::NoHighestBit, "GH004 reaching::Far.flags"},
      {Habit::NoEmptyKey, "GH004 reaching::Far.prices"},
      {Habit::NoHighestKey, "GH004 reaching::Far.badges"},
      {Habit::IgnoresCase, "GH002 reaching::Far.prices"},
      {Habit::TrimsKeys, "GH002 reaching::Far.prices"},
      {Habit::KeysOfXAlone, "GH002 reaching::Far.cells"},
      {Habit::KeysOfBytes, "GH002 reaching::Far.ids"},
      {Habit::BadgesAlike, "GH002 reaching::Far.badges"},
      {Habit::ClampsOnWire, "GH004 reaching::Far.angle"},
      {Habit::ScalesBothWays, "GH004 reaching::Far.angle"},
  };
  for (const auto& [what, wanted] : breaks) {
    const With today(what);
    const CheckResult result = program.Check(folder);
    INFO(wanted << "\n" << Text(result));
    const auto errors = Errors(result);
    CHECK(std::any_of(errors.begin(), errors.end(),
                      [&w = wanted](const std::string& error) { return error.starts_with(w); }));
  }
  const With today(Habit::OtherOrder);
  const CheckResult result = program.Check(folder);
  INFO(Text(result));
  CHECK(Errors(result).empty());
  CHECK_THAT(Find(result, "GH004", "reaching::Far", "badges").message,
             Catch::Contains("written in a different order"));
}

TEST_CASE("record: each place gets every made-up value that fits", "[harness][samples][reaching]") {
  const Program program = Program(1).Type<Far>();
  const Folder folder, clamping;
  program.Record(folder);
  std::set<std::string> texts;
  std::set<std::size_t> lengths, marks;
  std::size_t reaching_cases = 0;
  for (const revctl::golden::Case& item : Cases(folder)) {
    if (!IsReaching(item.name)) continue;
    ++reaching_cases;
    for (const revctl::golden::Leaf& leaf : item.values) {
      texts.insert(leaf.path.substr(0, leaf.path.find('[')) + "=" + leaf.text);
      if (leaf.path == "name") lengths.insert(leaf.text.size() - 2);
      if (leaf.path == "marks#count") marks.insert(std::stoul(leaf.text));
    }
  }
  CHECK(reaching_cases > Reaching::kRounds);
  for (const std::size_t length : {31U, 63U, 127U, 255U, 300U, 0U}) CHECK(lengths.contains(length));
  for (const std::size_t count : {16U, 64U, 257U}) CHECK(marks.contains(count));
  for (const char* value :
       {"floor=7", "color=Last", "speed=Infinity", "speed=-Infinity", "speed=NaN", "mass=-0",
        "speed=1e-45", "bonus=0", "prices#key=\"\"", "flags=\"11111111111\"",
        "flags=\"10000000000\"", "name=\" \\tblanks  around\\t \"",
        "name=\"\\ufeffe\xCC\x81, a return\\rand\\r\\nlines\\n\"", "name=\"a NUL\\u0000within\"",
        "name=\"\\u0000hex:6e6f205554462d383a20ffc3\""})
    CHECK(texts.contains(value));
  // Far-reaching goldens keep the original name even if the body already cut names when they were
  // recorded, so the recorded upgrade shows the cut.
  const With today(Habit::CutsNames);
  program.Record(clamping);
  bool shown = false;
  for (const revctl::golden::Case& item : Cases(clamping)) {
    for (const revctl::golden::Change& change : item.upgraded)
      shown = shown || (change.path == "name" && change.before->size() > 300);
  }
  CHECK(shown);
  CHECK(program.Check(clamping).findings.empty());
}

TEST_CASE("record: omits and reports made-up values that crash", "[harness][samples][reaching]") {
  const With today(Habit::Crashes);
  const Program program = Program(1).Type<Far>();
  const auto made = MakeReaching(program.registry.types.front(), 1, 1, 1, {}, 1U << 20);
  REQUIRE(made.endings.size() >= 1);
  CHECK(made.endings[0] == "signal 9");
  CHECK(made.payloads.size() >= 7);
}

}  // namespace revctl::harness::test
