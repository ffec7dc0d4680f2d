// A source file of include_bare_consumer. Uses the long name of every macro, while the short names
// are defined as something else.
#define REVCTL_NO_SHORT_MACROS
#define ADD ADD_of_this_game
#define ADD_BASE ADD_BASE_of_this_game
#define ADD_BITS ADD_BITS_of_this_game
#define ADD_CONDITIONAL ADD_CONDITIONAL_of_this_game
#define ADD_FIELDS ADD_FIELDS_of_this_game
#define ADD_OBJECTS ADD_OBJECTS_of_this_game
#define ADD_REF ADD_REF_of_this_game
#define ADD_TYPED ADD_TYPED_of_this_game
#define CHECK_INTEGRITY CHECK_INTEGRITY_of_this_game
#define DEAD DEAD_of_this_game
#define DEAD_WITH DEAD_WITH_of_this_game
#define DECLARE_FIELDS DECLARE_FIELDS_of_this_game
#define DEFINE_STRUCT DEFINE_STRUCT_of_this_game
#define DESCRIBE_FIELDS DESCRIBE_FIELDS_of_this_game
#define FIELD FIELD_of_this_game
#define HOP HOP_of_this_game
#define HOP_OF HOP_OF_of_this_game
#define PLAIN PLAIN_of_this_game
#define REM REM_of_this_game
#define REM_CONDITIONAL REM_CONDITIONAL_of_this_game
#define REM_REF REM_REF_of_this_game
#define SERIALIZE_DECLARE SERIALIZE_DECLARE_of_this_game
#define SERIALIZE_DECLARE_FLAT SERIALIZE_DECLARE_FLAT_of_this_game
#define SERIALIZE_DEFINE SERIALIZE_DEFINE_of_this_game
#define SERIALIZE_END SERIALIZE_END_of_this_game
#define SERIALIZE_FRIEND SERIALIZE_FRIEND_of_this_game
#define SERIALIZE_FRIEND_TEMPLATE SERIALIZE_FRIEND_TEMPLATE_of_this_game
#define SERIALIZE_IGNORE SERIALIZE_IGNORE_of_this_game
#define SERIALIZE_TEMPLATE SERIALIZE_TEMPLATE_of_this_game
#define SERIALIZE_TYPE SERIALIZE_TYPE_of_this_game

#include <revctl/fields.h>
#include <revctl/objects.h>
#include <revctl/plain_serialize.h>

// Only map_file.h may include <sys/mman.h>, because its macros clash with names in games.
#ifdef MAP_TYPE
#error "one of our headers includes <sys/mman.h>"
#endif

#include <cstdio>
#include <string_view>

bool EveryMacro();

namespace bare {

enum class Far : std::int32_t { Near = 1, Away = 5000 };

template <class T>
class Box {
 public:
  T Get() const { return value_; }
  void Set(T value) { value_ = value; }

 private:
  REVCTL_SERIALIZE_FRIEND_TEMPLATE((class U), Box<U>);
  T value_{};
};
REVCTL_SERIALIZE_TEMPLATE((class T), Box<T>) { REVCTL_ADD(1, value_); }
REVCTL_SERIALIZE_END

struct Base {
  std::int32_t a = 1;
};
REVCTL_SERIALIZE_TYPE(Base) { REVCTL_ADD(1, a); }
REVCTL_SERIALIZE_END

class Declared : public Base {
 public:
  bool Same(const Declared& other) const {
    return a == other.a && b_ == other.b_ && gone_ == other.gone_ && bits_ == other.bits_ &&
           far_ == other.far_;
  }
  void Change() { a = 2, b_ = 3, gone_ = 4, bits_ = 5, far_ = Far::Away; }
  bool HasGone() const { return gone_ == 4; }

 private:
  REVCTL_SERIALIZE_FRIEND(Declared);
  std::int32_t b_ = 0, gone_ = 0, ignored_ = 0;
  unsigned bits_ : 3 = 0;
  Far far_ = Far::Near;
};
REVCTL_SERIALIZE_DECLARE(Declared);
REVCTL_SERIALIZE_DEFINE(Declared) {
  REVCTL_ADD_BASE(1, Base);
  REVCTL_ADD_CONDITIONAL(1, d.a != 0, b_);
  REVCTL_REM(1, 2, gone_);
  REVCTL_REM(1, 2, std::int32_t, local, 6);
  REVCTL_REM_CONDITIONAL(1, 2, local == 6, std::int32_t, more, 7);
  REVCTL_ADD_BITS(1, std::uint8_t, bits_);
  REVCTL_ADD(1, far_);
  REVCTL_SERIALIZE_IGNORE(ignored_);
  REVCTL_CHECK_INTEGRITY(1);
  if (r.IsReading() && (local != 6 || more != 7))
    r.Fail("the local variables differ from the written values");
}
REVCTL_SERIALIZE_END

struct Spot {
  float x = 0, y = 0;
};
REVCTL_SERIALIZE_DECLARE_FLAT(Spot);
REVCTL_SERIALIZE_DEFINE(Spot) {
  REVCTL_ADD(1, x);
  REVCTL_ADD(1, y);
}
REVCTL_SERIALIZE_END

#define BARE_FIELDS(TYPED, GONE)                 \
  TYPED(1, std::int32_t, count, 4, UNIT(metres)) \
  GONE(1, 2, std::int32_t, old_count, 0)
REVCTL_DEFINE_STRUCT(Listed, BARE_FIELDS);
REVCTL_SERIALIZE_TYPE(Listed) { REVCTL_ADD_FIELDS(BARE_FIELDS); }
REVCTL_SERIALIZE_END
REVCTL_DESCRIBE_FIELDS(Listed, BARE_FIELDS);
struct Own {
  REVCTL_DECLARE_FIELDS(BARE_FIELDS)
  std::int32_t Twice() const { return count * 2; }
};

struct Room {
  REVCTL_PLAIN(Room);
  REVCTL_FIELD(std::uint8_t, kind, 1);
  REVCTL_DEAD(std::uint16_t, width, 1, 2);
  REVCTL_FIELD(std::int32_t, width, 2) = 5;
  REVCTL_DEAD_WITH(std::uint16_t, height, 1, 2, 9);
  REVCTL_HOP(2) { to.Set<"width">(from.Get<"width">() + 1); }
};
struct Hall {
  REVCTL_PLAIN(Hall);
  REVCTL_FIELD(std::uint8_t, kind, 1);
  REVCTL_DEAD(std::uint16_t, width, 1, 2);
  REVCTL_FIELD(std::int32_t, width, 2) = 5;
  REVCTL_HOP(2);
};
REVCTL_HOP_OF(Hall, 2) { to.Set<"width">(from.Get<"width">() + 2); }

struct Thing {
  Thing* next = nullptr;
  std::int32_t id = 0;
};
std::string_view ClassNameOf(const Thing&) { return "Thing"; }
REVCTL_SERIALIZE_TYPE(Thing) {
  REVCTL_ADD(1, id);
  REVCTL_ADD_REF(1, next);
  REVCTL_REM_REF(1, 2, Thing*, lost);
  if (r.IsReading() && lost != nullptr) r.Fail("read a pointer that was never written");
}
REVCTL_SERIALIZE_END
const revctl::ObjectClasses& Classes() {
  static const auto classes = revctl::ObjectClasses().Add<Thing>("Thing");
  return classes;
}
struct Things {
  std::vector<std::unique_ptr<Thing>> all;
};
REVCTL_SERIALIZE_TYPE(Things) { REVCTL_ADD_OBJECTS(1, Classes(), all); }
REVCTL_SERIALIZE_END

template <class T>
bool ThereAndBack(const T& value, T& back, int revision) {
  std::vector<std::byte> bytes;
  return revctl::Save(revision, value, bytes).Ok() && revctl::Load(bytes, back, 2).Ok();
}

bool Bodies() {
  Declared declared, back;
  declared.Change();
  Box<std::int16_t> box, box_back;
  box.Set(-3);
  const std::vector<Spot> spots{{1, 2}, {3, 4}};
  std::vector<Spot> spots_back;
  return ThereAndBack(declared, back, 1) && back.Same(declared) &&
         ThereAndBack(declared, back, 2) && !back.HasGone() && ThereAndBack(box, box_back, 2) &&
         box_back.Get() == -3 && ThereAndBack(spots, spots_back, 2) && spots_back.size() == 2 &&
         spots_back[1].y == 4;
}

bool Lists() {
  Listed listed, back;
  listed.count = 8;
  Own own;
  return ThereAndBack(listed, back, 1) && back == listed &&
         revctl::FieldsOf<Listed>()[0].Tag("UNIT") == "metres" && own.Twice() == 8;
}

bool Plain() {
  Room room{}, room_back{};
  Hall hall{}, hall_back{};
  room.kind = hall.kind = 3;
  return ThereAndBack(room, room_back, 1) && room_back.width == 6 && room_back.kind == 3 &&
         ThereAndBack(hall, hall_back, 1) && hall_back.width == 7 &&
         ThereAndBack(room, room_back, 2) && room_back.width == 5;
}

bool Graph() {
  Things things, back;
  for (int id : {1, 2}) things.all.push_back(std::make_unique<Thing>(Thing{nullptr, id}));
  things.all[0]->next = things.all[1].get();
  std::vector<std::byte> bytes;
  return revctl::Save(1, things, bytes).Ok() && revctl::Load(bytes, back, 2).Ok() &&
         back.all.size() == 2 && back.all[0]->next == back.all[1].get() && back.all[1]->id == 2;
}

}  // namespace bare

REVCTL_ENUMERATORS(bare::Far, Near, Away);

bool EveryMacro() {
  const bool results[] = {bare::Bodies(), bare::Lists(), bare::Plain(), bare::Graph(),
                          revctl::ToJson(bare::Far::Away, 1, 0) == "\"Away\""};
  bool all = true;
  for (const bool result : results) {
    if (!result)
      std::fprintf(stderr, "failed: the macros of part %d\n", static_cast<int>(&result - results));
    all = all && result;
  }
  return all;
}
