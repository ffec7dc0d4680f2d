// Automatic samples must reveal that a body has begun to clamp, sort or drop values, or that its
// conditions have changed.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include <revctl/serialize.h>

#include "harness/samples/edge_samples.h"
#include "harness/samples/samples.h"
#include "harness/testing/test_program.h"
#include "harness/trace/tracing.h"

namespace {

enum Rev { SR_INITIAL = 1 };

/// Ways in which the current body alters values while reading. The code that recorded the goldens
/// has none of these habits.
enum class Habit {
  None,
  Clamps,       ///< limits a number from above
  ClampsBelow,  ///< limits a number from below
  ClampsFloat,
  ClampsWide,  ///< limits an unsigned number in `Strict`
  Drops,       ///< drops one of two flags
  Sorts,
  SortsDown,
  SortsTexts,
  Half,    ///< changes the float in a condition
  Longer,  ///< changes the size in a condition
  Spells,  ///< changes the string in a condition
  Minus,   ///< changes the negative number in a condition
};
Habit habit = Habit::None;
bool Is(Habit what) { return habit == what; }

struct Thing {
  std::int32_t hp = 0;
  float speed = 0;
  bool awake = false, hidden = false;
  std::vector<std::int16_t> marks;
  std::vector<std::string> names;
  std::array<std::int32_t, 8> many{};
  std::array<std::vector<std::uint16_t>, 6> rows;
};
SERIALIZE_TYPE(Thing) {
  ADD(SR_INITIAL, hp);
  ADD(SR_INITIAL, speed);
  ADD(SR_INITIAL, awake);
  ADD(SR_INITIAL, hidden);
  ADD(SR_INITIAL, marks);
  ADD(SR_INITIAL, names);
  ADD(SR_INITIAL, many);
  ADD(SR_INITIAL, rows);
  if constexpr (requires { d.marks.clear(); }) {
    if (!r.IsReading()) return;
    if (Is(Habit::Clamps)) d.hp = std::min(d.hp, 100);
    if (Is(Habit::ClampsBelow)) d.hp = std::max(d.hp, -100);
    if (Is(Habit::ClampsFloat)) d.speed = std::min(d.speed, 50.0F);
    if (Is(Habit::Drops) && d.awake && d.hidden) d.hidden = false;
    if (Is(Habit::Sorts)) std::sort(d.marks.begin(), d.marks.end());
    if (Is(Habit::SortsDown)) std::sort(d.marks.rbegin(), d.marks.rend());
    if (Is(Habit::SortsTexts)) std::sort(d.names.begin(), d.names.end());
  }
}
SERIALIZE_END

/// A type that accepts only a few values, which only the source of its body reveals.
struct Strict {
  std::int32_t level = 1, depth = 0;
  std::uint16_t width = 1;
  std::int64_t any = 0;
};
SERIALIZE_TYPE(Strict) {
  ADD(SR_INITIAL, level);
  ADD(SR_INITIAL, depth);
  ADD(SR_INITIAL, width);
  ADD(SR_INITIAL, any);
  if (d.level < 0 || d.level > 120) r.Fail("no such level");
  if (d.depth > 0 || d.depth < -2000) r.Fail("no such depth");
  if (d.width > 5000) r.Fail("too wide");
  if constexpr (requires { d.width = 0; }) {
    if (r.IsReading() && Is(Habit::ClampsWide)) d.width = std::min<std::uint16_t>(d.width, 500);
  }
}
SERIALIZE_END

struct Gated {
  float heat = 0;
  std::vector<std::uint8_t> row;
  std::string word;
  std::int32_t cold = 0;
  std::uint8_t a = 0, b = 0, c = 0, e = 0;
};
#define GATED(NAME, HALF, SIZE, WORD, BELOW)              \
  SERIALIZE_TYPE(NAME) {                                  \
    ADD(SR_INITIAL, heat);                                \
    ADD(SR_INITIAL, row);                                 \
    ADD(SR_INITIAL, word);                                \
    ADD(SR_INITIAL, cold);                                \
    ADD_CONDITIONAL(SR_INITIAL, d.heat > HALF, a);        \
    ADD_CONDITIONAL(SR_INITIAL, d.row.size() >= SIZE, b); \
    ADD_CONDITIONAL(SR_INITIAL, d.word == WORD, c);       \
    ADD_CONDITIONAL(SR_INITIAL, d.cold < BELOW, e);       \
  }                                                       \
  SERIALIZE_END
GATED(Gated, 0.5F, 17, "magic", -40)
namespace half {
struct Gated : ::Gated {};
GATED(Gated, 0.75F, 17, "magic", -40)
}  // namespace half
namespace quarter {
struct Gated : ::Gated {};
GATED(Gated, 0.25F, 17, "magic", -40)
}  // namespace quarter
namespace longer {
struct Gated : ::Gated {};
GATED(Gated, 0.5F, 18, "magic", -40)
}  // namespace longer
namespace spelled {
struct Gated : ::Gated {};
GATED(Gated, 0.5F, 17, "magik", -40)
}  // namespace spelled
namespace colder {
struct Gated : ::Gated {};
GATED(Gated, 0.5F, 17, "magic", -41)
}  // namespace colder
namespace warmer {
struct Gated : ::Gated {};
GATED(Gated, 0.5F, 17, "magic", -39)
}  // namespace warmer

}  // namespace

#define IS_GATED(NAMESPACE)                       \
  template <>                                     \
  struct revctl::NameOf<NAMESPACE::Gated> {       \
    static std::string Name() { return "Gated"; } \
  };
IS_GATED(half)
IS_GATED(quarter)
IS_GATED(longer)
IS_GATED(spelled)
IS_GATED(colder)
IS_GATED(warmer)
template <>
struct revctl::NameOf<Gated> {
  static std::string Name() { return "Gated"; }
};

namespace revctl::harness::test {
namespace {

/// Enables a habit for the lifetime of the object.
class With {
 public:
  explicit With(Habit what) { habit = what; }
  With(const With&) = delete;
  ~With() { habit = Habit::None; }
};

template <class T>
std::vector<T> Samples() {
  const Program program = Program(1).Type<T>();
  std::vector<T> all;
  for (const Sample& sample : MakeSamples(program.registry.types.front(), 1, 1)) {
    const Object object = sample.make(1, nullptr);
    all.push_back(*static_cast<const T*>(object.get()));
  }
  return all;
}

}  // namespace

TEST_CASE("samples: large numbers of both signs, all flags, no order", "[harness][samples]") {
  const auto things = Samples<Thing>();
  const auto any = [&](auto test) { return std::any_of(things.begin(), things.end(), test); };
  CHECK(any([](const Thing& thing) { return thing.hp > 1'000'000; }));
  CHECK(any([](const Thing& thing) { return thing.hp < -1'000'000; }));
  CHECK(any([](const Thing& thing) { return thing.speed > 100 && std::isfinite(thing.speed); }));
  CHECK(any([](const Thing& thing) { return thing.speed < -100 && std::isfinite(thing.speed); }));
  CHECK(any([](const Thing& thing) { return thing.awake && thing.hidden; }));
  CHECK(any([](const Thing& thing) { return !thing.awake && !thing.hidden; }));
  CHECK(any(
      [](const Thing& thing) { return !std::is_sorted(thing.marks.begin(), thing.marks.end()); }));
  CHECK(any([](const Thing& thing) {
    return !std::is_sorted(thing.marks.rbegin(), thing.marks.rend());
  }));
  for (std::size_t i = 0; i < 8; ++i) {  // an element's position must not matter
    CHECK(any([&](const Thing& thing) { return thing.many[i] > 1'000'000; }));
    CHECK(any([&](const Thing& thing) { return thing.many[i] < -1'000'000; }));
  }
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(any([&](const Thing& thing) {
      return !std::is_sorted(thing.rows[i].begin(), thing.rows[i].end());
    }));
    CHECK(any([&](const Thing& thing) {
      return !std::is_sorted(thing.rows[i].rbegin(), thing.rows[i].rend());
    }));
  }
  CHECK(things.size() <= 10);
}

TEST_CASE("samples: the largest values that a strict body accepts", "[harness][samples]") {
  std::int32_t level = 0, depth = 0;
  std::uint16_t width = 0;
  std::int64_t high = 0, low = 0;
  for (const Strict& strict : Samples<Strict>()) {
    level = std::max(level, strict.level);
    depth = std::min(depth, strict.depth);
    width = std::max(width, strict.width);
    high = std::max(high, strict.any);
    low = std::min(low, strict.any);
  }
  CHECK(level >= 75);
  CHECK(depth <= -750);
  CHECK(width >= 750);
  CHECK(high > 1'000'000'000);
  CHECK(low < -1'000'000'000);
}

TEST_CASE("check: recorded samples reveal reading that clamps or sorts",
          "[harness][samples][signals]") {
  const auto errors = [](const Program& program, Habit what) {
    const Folder folder;
    program.Record(folder);
    CHECK(program.Check(folder).findings.empty());
    const With today(what);
    const CheckResult result = program.Check(folder);
    INFO(Text(result));
    return Errors(result);
  };
  const Program things = Program(1).Type<Thing>();
  const auto has = [](const std::vector<std::string>& all, const std::string& wanted) {
    CAPTURE(wanted, all);
    CHECK(std::any_of(all.begin(), all.end(),
                      [&](const std::string& error) { return error.starts_with(wanted); }));
  };
  has(errors(things, Habit::Clamps), "GH004 Thing.hp");
  has(errors(things, Habit::ClampsBelow), "GH004 Thing.hp");
  has(errors(things, Habit::ClampsFloat), "GH004 Thing.speed");
  has(errors(things, Habit::Drops), "GH004 Thing.hidden");
  has(errors(things, Habit::Sorts), "GH004 Thing.marks");
  has(errors(things, Habit::SortsDown), "GH004 Thing.marks");
  has(errors(things, Habit::SortsTexts), "GH004 Thing.names");
  has(errors(Program(1).Type<Strict>(), Habit::ClampsWide), "GH004 Strict.width");
}

TEST_CASE("check: detects conditions that change at their edge", "[harness][samples][signals]") {
  const Folder folder;
  Program(1).Type<Gated>().Record(folder);
  CHECK(Program(1).Type<Gated>().Check(folder).findings.empty());
  const auto is_error = [&](const Program& program, const std::string& field) {
    const CheckResult result = program.Check(folder);
    INFO(field << "\n" << Text(result));
    CHECK(Errors(result).size() >= 1);
    CHECK(std::any_of(result.findings.begin(), result.findings.end(), [&](const Finding& finding) {
      return finding.severity == Severity::Error && finding.field.starts_with(field);
    }));
  };
  is_error(Program(1).Type<half::Gated>(), "a");
  is_error(Program(1).Type<quarter::Gated>(), "a");
  is_error(Program(1).Type<longer::Gated>(), "b");
  is_error(Program(1).Type<spelled::Gated>(), "c");
  is_error(Program(1).Type<colder::Gated>(), "e");
  is_error(Program(1).Type<warmer::Gated>(), "e");
}

TEST_CASE("condition edges: numbers, floats, sizes and texts", "[harness][samples]") {
  const auto values = [](const char* condition) { return EdgesOf(condition).values; };
  CHECK(values("d.hp > 1'000") == std::vector<std::int64_t>{-1000, -1, 0, 1, 999, 1000, 1001});
  CHECK(values("d.hp < -5") == std::vector<std::int64_t>{-6, -5, -4, -1, 0, 1, 4, 5, 6});
  CHECK(values("d.flags & 0x10") == std::vector<std::int64_t>{-16, -1, 0, 1, 15, 16, 17});
  CHECK(values("d.f > 1.5e1f") == std::vector<std::int64_t>{-15, -1, 0, 1, 14, 15, 16});
  CHECK(EdgesOf("d.f > 0.1f").reals == std::vector<double>{static_cast<double>(0.1F)});
  CHECK(EdgesOf("d.f > 0.1").reals == std::vector<double>{0.1});
  CHECK(EdgesOf("d.f < -2.5e-1").reals == std::vector<double>{0.25, -0.25});
  CHECK(EdgesOf("d.f > 0.1").fields == std::vector<std::string>{"d", "f"});
  CHECK(EdgesOf("d.s == \"ma\\\"g\"").texts == std::vector<std::string>{"ma\"g", "ma\"gx"});
  CHECK(EdgesOf("d.s == \"a b\" && d.n > 2").fields == std::vector<std::string>{"d", "s", "n"});
  CHECK(EdgesOf("d.s == \"\\x41\"").texts.empty());
  CHECK(EdgesOf("d.s == \"open").texts == std::vector<std::string>{"open", "openx"});
  CHECK(EdgesOf("d.row.size() > 2").asks_size);
  CHECK(EdgesOf("std::size(d.row) > 2").asks_size);
  CHECK_FALSE(EdgesOf("d.size > 2").asks_size);
}

}  // namespace revctl::harness::test
