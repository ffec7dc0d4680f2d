#include <catch2/catch.hpp>

#include <revctl/json_writer.h>

#include "everything.h"

// Tests the statements that bodies may contain, and the effect of each macro at each revision.

namespace {

enum Rev { SR_INITIAL = 1, SR_FOULS, SR_PLAYERS, SR_LIST, SR_NO_FOULS, SR_LATEST = SR_NO_FOULS };
enum class Scoped { First = 1, Second = 3 };

struct Score {
  std::int32_t p1 = 0, p2 = 0;
  std::vector<std::string> players;
};
SERIALIZE_TYPE(Score) {
  ADD(SR_INITIAL, p1);
  ADD(SR_INITIAL, p2);
  REM(SR_FOULS, SR_NO_FOULS, std::int32_t, fouls, 0);
  ADD_CONDITIONAL(SR_PLAYERS, d.p1 >= 0, players);
  CHECK_INTEGRITY(SR_PLAYERS);
  if (r.IsReading() && r.revision < SR_NO_FOULS) d.p1 -= fouls;
}
SERIALIZE_END

template <class T>
std::vector<std::byte> Bytes(const T& value, revctl::Revision at) {
  revctl::Writer w(at);
  Serialize(w, value);
  REQUIRE(w.Ok());
  return {w.Bytes().begin(), w.Bytes().end()};
}

template <class T>
T Read(const std::vector<std::byte>& bytes, revctl::Revision at) {
  revctl::Reader r(bytes, at);
  T value{};
  Serialize(r, value);
  CHECK(r.AtEnd());
  return value;
}

/// A body with all kinds of C++ statements.
struct Wild {
  std::uint8_t n = 0;
  std::int32_t v[4] = {};
  std::int32_t sum = 0;
};
template <class R, class T>
void Helper(R& r, T& value) {
  Serialize(r, value);
}
SERIALIZE_TYPE(Wild) {
  static int calls = 0;
  ++calls;
  ADD(SR_INITIAL, n);
  if (d.n > 4) {
    r.Fail("at most four");
    return;
  }
  int i = 0;
again:
  if (i < d.n) {
    Serialize(r, d.v[i]);
    ++i;
    goto again;
  }
  switch (d.n) {
    case 3:
      Helper(r, t->sum);
      break;
    default:
      break;
  }
  auto twice = [&](auto& x) { x = x * 2; };
  if (r.IsReading()) twice(d.sum);
}
SERIALIZE_END

class Private {
 public:
  explicit Private(std::int32_t x = 0) : x_(x) {}
  bool operator==(const Private&) const = default;

 private:
  SERIALIZE_FRIEND(Private);
  std::int32_t x_;
};
SERIALIZE_TYPE(Private) { ADD(SR_INITIAL, x_); }
SERIALIZE_END

struct Base {
  std::int32_t a = 0;
};
struct Derived : Base {
  std::int32_t b = 0;
};
SERIALIZE_TYPE(Base) { ADD(SR_INITIAL, a); }
SERIALIZE_END
SERIALIZE_TYPE(Derived) {
  ADD_BASE(SR_FOULS, Base);
  ADD(SR_INITIAL, b);
}
SERIALIZE_END

template <class T, int n>
struct Grid {
  T cells[n] = {};
};
SERIALIZE_TEMPLATE((class T, int n), Grid<T, n>) { ADD(SR_INITIAL, cells); }
SERIALIZE_END

template <class T, int n>
class Locked {
 public:
  explicit Locked(T first = {}) : cells_{first} {}
  bool operator==(const Locked&) const = default;

 private:
  SERIALIZE_FRIEND_TEMPLATE((class U, int m), Locked<U, m>);
  T cells_[n] = {};
};
SERIALIZE_TEMPLATE((class T, int n), Locked<T, n>) { ADD(SR_INITIAL, cells_); }
SERIALIZE_END

struct Packed {
  unsigned team : 3 = 0;
  signed lane : 4 = 0;
  bool ready : 1 = false;
};
SERIALIZE_TYPE(Packed) {
  ADD_BITS(SR_INITIAL, std::uint8_t, team);
  ADD_BITS(SR_INITIAL, std::int8_t, lane);
  ADD_BITS(SR_INITIAL, bool, ready);
}
SERIALIZE_END

/// A class whose fields are wider than their wire types or differ from them in signedness.
class Cramped {
 public:
  unsigned wide() const { return wide_; }
  int low() const { return low_; }
  Cramped& Set(unsigned wide, int low) {
    wide_ = wide & 0xFFFu;
    low_ = low < 0 ? -1 : 1;
    return *this;
  }

 private:
  unsigned wide_ : 12 = 0;
  signed low_ : 4 = 0;
  SERIALIZE_FRIEND(Cramped);
};
SERIALIZE_TYPE(Cramped) {
  ADD_BITS(SR_INITIAL, std::uint8_t, wide_);
  ADD_BITS(SR_FOULS, std::uint8_t, low_);
}
SERIALIZE_END

/// When an older file is read, a bit-field keeps the value that the body assigns, even if the wire
/// type cannot hold it.
struct Later {
  unsigned wide : 12 = 0;
};
SERIALIZE_TYPE(Later) {
  if (r.IsReading() && r.revision < SR_FOULS) d.wide = 299;
  ADD_BITS(SR_FOULS, std::uint8_t, wide);
}
SERIALIZE_END

struct Ignoring {
  std::int32_t kept = 0;
  int* cache = nullptr;
  mutable unsigned dirty : 1 = 0;
};
SERIALIZE_TYPE(Ignoring) {
  ADD(SR_INITIAL, kept);
  SERIALIZE_IGNORE(cache);
  SERIALIZE_IGNORE(dirty);
}
SERIALIZE_END

struct Conditional {
  std::uint8_t kind = 0;
  std::int32_t a = 0, b = 0;
};
int conditions_asked = 0;
SERIALIZE_TYPE(Conditional) {
  ADD(Scoped::First, kind);
  ADD_CONDITIONAL(Scoped::Second, (++conditions_asked, d.kind == 1), a);
  REM_CONDITIONAL(Scoped::First, Scoped::Second, d.kind == 1, std::int32_t, old,
                  std::max({d.b, 3, 7}));
  REM_CONDITIONAL(Scoped::First, Scoped::Second, d.kind == 2, b);
  if (r.IsReading()) d.b += old;
}
SERIALIZE_END

struct RefusesNegative {
  std::int32_t hp = 1;
};
SERIALIZE_TYPE(RefusesNegative) {
  ADD(SR_INITIAL, hp);
  if (d.hp < 0) r.Fail("hp is negative");
}
SERIALIZE_END

}  // namespace

TEST_CASE("body: a bit-field whose gate is closed stays unchanged", "[body]") {
  Later later;
  revctl::Reader r({}, SR_INITIAL);
  Serialize(r, later);
  CHECK(r.AtEnd());
  CHECK(later.wide == 299);
}

TEST_CASE("body: the revision determines the fields", "[body]") {
  Score score{7, 3, {"ann"}};
  CHECK(Bytes(score, SR_INITIAL).size() == 8);
  CHECK(Bytes(score, SR_FOULS).size() == 12);
  CHECK(Bytes(score, SR_PLAYERS).size() == 12 + 4 + 7 + 4);
  CHECK(Bytes(score, SR_NO_FOULS).size() == 8 + 4 + 7 + 4);
  score.p1 = -1;  // makes the condition for `players` false
  CHECK(Bytes(score, SR_NO_FOULS).size() == 8 + 4);
}

TEST_CASE("body: upgrade code sees the local variable of a removed field", "[body]") {
  auto bytes = Bytes(Score{7, 3, {}}, SR_FOULS);
  bytes[8] = std::byte{2};  // two fouls
  CHECK(Read<Score>(bytes, SR_FOULS).p1 == 5);
  CHECK(Read<Score>(Bytes(Score{7, 3, {}}, SR_NO_FOULS), SR_NO_FOULS).p1 == 7);
}

TEST_CASE("body: integrity numbers detect a body that does not match the bytes", "[body]") {
  auto bytes = Bytes(Score{7, 3, {}}, SR_PLAYERS);
  bytes[bytes.size() - 4] = std::byte{9};
  revctl::Reader r(bytes, SR_PLAYERS);
  Score score;
  Serialize(r, score);
  CHECK(r.error().path == "Score");
  CHECK(r.error().offset == bytes.size() - 4);
  CHECK_THAT(r.error().reason, Catch::StartsWith("integrity number 9, expected 0"));

  const std::vector<Score> two(2);
  const auto counted = Bytes(two, SR_PLAYERS);
  CHECK(counted[4 + 16] == std::byte{0});
  CHECK(counted[4 + 16 + 20] == std::byte{1});
}

TEST_CASE("body: statics, gotos, loops, helpers, early returns", "[body]") {
  Wild wild;
  wild.n = 3;
  wild.v[0] = 1;
  wild.v[2] = -3;
  wild.sum = 21;
  const auto bytes = Bytes(wild, SR_INITIAL);
  CHECK(bytes.size() == 1 + 3 * 4 + 4);
  const Wild back = Read<Wild>(bytes, SR_INITIAL);
  CHECK(back.v[2] == -3);
  CHECK(back.sum == 42);
}

TEST_CASE("body: r.Fail rejects the value, and the path locates it", "[body]") {
  std::vector<std::byte> bytes{std::byte{1}, {}, {}, {}, std::byte{5}};
  revctl::Reader r(bytes, SR_INITIAL);
  std::vector<Wild> wild;
  Serialize(r, wild);
  CHECK(r.error().path == "vector<Wild>[0]");
  CHECK(r.error().reason == "at most four");
  CHECK(r.error().refused);

  std::map<std::string, RefusesNegative> by_name{{"zoe", {5}}, {"ann", {-5}}};
  revctl::Writer w(SR_INITIAL);
  Serialize(w, by_name);
  CHECK(w.error().path == "map<string,RefusesNegative>[0]");
  CHECK(w.error().reason == "hp is negative");
}

TEST_CASE("body: private members, bases, class templates, bit-fields", "[body]") {
  CHECK(Read<Private>(Bytes(Private(5), 1), 1) == Private(5));

  Derived derived;
  derived.a = 1;
  derived.b = 2;
  CHECK(Bytes(derived, SR_INITIAL).size() == 4);
  CHECK(Read<Derived>(Bytes(derived, SR_FOULS), SR_FOULS).a == 1);

  CHECK(Read<Locked<std::uint16_t, 3>>(Bytes(Locked<std::uint16_t, 3>(5), 1), 1) ==
        Locked<std::uint16_t, 3>(5));
  Grid<std::uint16_t, 3> grid;
  grid.cells[2] = 9;
  CHECK(Read<Grid<std::uint16_t, 3>>(Bytes(grid, 1), 1).cells[2] == 9);
  CHECK(revctl::TypeName<Grid<std::uint16_t, 3>>().substr(0, 5) == "Grid<");
  CHECK(revctl::TypeName<std::vector<Grid<Base, 3>>>().substr(0, 12) == "vector<Grid<");

  Packed packed;
  packed.team = 6;
  packed.lane = -7;
  packed.ready = true;
  auto bytes = Bytes(packed, 1);
  CHECK(bytes.size() == 3);
  const Packed back = Read<Packed>(bytes, 1);
  CHECK(back.team == 6);
  CHECK(back.lane == -7);
  CHECK(back.ready);
  bytes[0] = std::byte{8};
  revctl::Reader r(bytes, 1);
  Packed refused;
  Serialize(r, refused);
  CHECK(r.error().reason == "the value does not fit in its bit-field: team");
}

TEST_CASE("body: an oversized bit-field is rejected, not truncated", "[body]") {
  Cramped cramped;
  const Cramped back = Read<Cramped>(Bytes(cramped.Set(255, -1), SR_LATEST), SR_LATEST);
  CHECK(back.wide() == 255);
  CHECK(back.low() == -1);  // stored as byte 255, which no other four-bit value produces

  std::vector<std::byte> bytes;
  const revctl::Status status = revctl::Save(SR_LATEST, cramped.Set(256, 1), bytes);
  CHECK(status.kind() == revctl::Status::Kind::Refused);
  CHECK_THAT(
      status.message(),
      Catch::Contains("the bit-field's value does not fit in std::uint8_t on the wire: wide_"));
  CHECK(bytes.empty());
  CHECK(revctl::ToJson(cramped, SR_LATEST).empty());
  revctl::SizeCounter size(SR_LATEST);
  Serialize(size, cramped);
  CHECK_FALSE(size.Ok());
  CHECK(revctl::WireSize(cramped.Set(1, 1), 0) == 0);  // this revision is older than the field
}

TEST_CASE("body: a condition is evaluated only if its gate is open", "[body]") {
  conditions_asked = 0;
  CHECK(Bytes(Conditional{1, 5, 6}, 1).size() == 5);  // `kind` and the removed field
  CHECK(conditions_asked == 0);
  CHECK(revctl::ToJson(Conditional{1, 5, 6}, 1, 0) == R"({"kind": 1, "old": 7})");
  CHECK(conditions_asked == 0);
  CHECK(Bytes(Conditional{2, 5, 6}, 1).size() == 5);
  CHECK(Bytes(Conditional{3, 5, 6}, 1).size() == 1);
  CHECK(Bytes(Conditional{1, 5, 6}, 3).size() == 5);
  CHECK(conditions_asked == 1);
}

TEST_CASE("body: an ignored member costs nothing and may have any type", "[body]") {
  int x = 0;
  Ignoring ignoring{5, &x};
  CHECK(Bytes(ignoring, 1).size() == 4);
  CHECK(revctl::ToJson(ignoring, 1, 0) == R"({"kept": 5})");
}

TEST_CASE("body: after an error everything reads as zero and empty", "[body]") {
  revctl::Reader r({}, SR_LATEST);
  Score score{7, 3, {"ann"}};
  Serialize(r, score);
  CHECK(r.error().path == "Score.p1");
  CHECK(score.p1 == 0);
  CHECK(score.players.empty());
  CHECK_FALSE(r.AtEnd());
}
