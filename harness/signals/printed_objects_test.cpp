// Suggested lines for references, bases and bits must use the right macros. An error in an object
// stream must be reported only once.
#include <catch2/catch.hpp>
#include <memory>

#include <revctl/objects.h>
#include <revctl/serialize.h>

#include "harness/testing/test_program.h"

namespace staged {

enum Rev { SR_INITIAL = 1, SR_FOULS = 2, SR_PLAYERS = 3 };

/// Edits of the code.
enum Edit { None, Reordered, Added, Removed, Retyped, GateMoved, ClassRenamed };
Edit edit = None;

struct Actor {
  virtual ~Actor() = default;
  std::int32_t hp = 10;
  Actor* target = nullptr;
  Actor* mount = nullptr;
  std::vector<Actor*> friends;
  std::unique_ptr<Actor> own;
};
struct Knight : Actor {
  std::int32_t armour = 1;
};
SERIALIZE_TYPE(Actor) {
  ADD(SR_INITIAL, hp);
  if (edit == Reordered) {
    ADD_REF(SR_INITIAL, mount);
    ADD_REF(SR_INITIAL, target);
  } else {
    ADD_REF(SR_INITIAL, target);
    ADD_REF(SR_INITIAL, mount);
  }
  if (edit != Removed) {
    ADD_REF(SR_INITIAL, friends);
  }
  if (edit == Added) {
    ADD_REF(SR_INITIAL, own);
  }
  if (edit == GateMoved) {
    REM_REF(SR_INITIAL, SR_PLAYERS, Actor*, victim);
  } else {
    REM_REF(SR_INITIAL, SR_FOULS, Actor*, victim);
  }
}
SERIALIZE_END
SERIALIZE_TYPE(Knight) {
  ADD_BASE(SR_INITIAL, Actor);
  ADD(SR_INITIAL, armour);
}
SERIALIZE_END

const revctl::ObjectClasses& Classes() {
  static const auto then = revctl::ObjectClasses().Add<Actor>("Actor").Add<Knight, Actor>("Knight");
  static const auto now = revctl::ObjectClasses().Add<Actor>("Actor").Add<Knight, Actor>("Rider");
  return edit == ClassRenamed ? now : then;
}
struct Stage {
  std::vector<std::unique_ptr<Actor>> actors;
};
SERIALIZE_TYPE(Stage) { ADD_OBJECTS(SR_INITIAL, Classes(), actors); }
SERIALIZE_END

struct Packed {
  std::int32_t a : 5;
  std::uint32_t b : 9;
  std::uint32_t c : 3;
  Packed() : a(0), b(0), c(0) {}
};
SERIALIZE_TYPE(Packed) {
  ADD_BITS(SR_INITIAL, std::int8_t, a);
  if (edit == Retyped) {
    ADD_BITS(SR_INITIAL, std::uint32_t, b);
  } else {
    ADD_BITS(SR_INITIAL, std::uint16_t, b);
  }
  if (edit == Added) {
    ADD_BITS(SR_INITIAL, std::uint8_t, c);
  }
}
SERIALIZE_END

struct Base {
  std::int32_t id = 0;
};
SERIALIZE_TYPE(Base) { ADD(SR_INITIAL, id); }
SERIALIZE_END
struct Derived : Base {
  std::int32_t x = 0;
};
SERIALIZE_TYPE(Derived) {
  if (edit == Added) {
    ADD_BASE(SR_INITIAL, Base);
  }
  ADD(SR_INITIAL, x);
}
SERIALIZE_END

}  // namespace staged

namespace revctl::harness::test {
namespace {

/// Records goldens of two revisions with the unedited code. Returns the result of a check after an
/// edit.
template <class T>
CheckResult AfterEdit(staged::Edit edit) {
  const Folder folder;
  staged::edit = staged::None;
  Program(1).Type<T>().Record(folder);
  const Program program = Program(2).Type<T>();
  program.Record(folder);
  staged::edit = edit;
  CheckResult result = program.Check(folder);
  staged::edit = staged::None;
  return result;
}

template <class T>
std::string FixAfter(staged::Edit edit, const std::string& type, const std::string& field) {
  return FixText(Find(AfterEdit<T>(edit), "GH001", "staged::" + type, field).fix);
}

}  // namespace

TEST_CASE("printed lines: references use ADD_REF and REM_REF",
          "[harness][signals][lines][objects]") {
  using staged::Stage;
  CHECK_THAT(FixAfter<Stage>(staged::Reordered, "Actor", "target"),
             Catch::Contains("ADD_REF(SR_INITIAL, target);\nADD_REF(SR_INITIAL, mount);"));
  CHECK_THAT(FixAfter<Stage>(staged::Added, "Actor", "own"),
             Catch::Contains("ADD_REF(SR_OWN, own);"));
  CHECK_THAT(FixAfter<Stage>(staged::GateMoved, "Actor", "victim"),
             Catch::StartsWith("restore the line: REM_REF(SR_INITIAL, SR_FOULS, Actor*, victim);"));
  // Neither the code nor the records show which macro visited the field.
  CHECK_THAT(FixAfter<Stage>(staged::Removed, "Actor", "friends"),
             Catch::Contains("or, if ADD_REF visited the field (T is the class it pointed to): "
                             "REM_REF(SR_INITIAL, SR_NO_FRIENDS, std::vector<T*>, friends);"));
}

TEST_CASE("printed lines: bits and bases use their own macros", "[harness][signals][lines]") {
  CHECK_THAT(FixAfter<staged::Packed>(staged::Retyped, "Packed", "b"),
             Catch::Contains("ADD_BITS(SR_B_U32, uint32_t, b);"));
  CHECK_THAT(FixAfter<staged::Packed>(staged::Added, "Packed", "c"),
             Catch::Contains("ADD_BITS(SR_C, uint8_t, c);"));
  CHECK_THAT(FixAfter<staged::Derived>(staged::Added, "Derived", "Base"),
             Catch::Contains("ADD_BASE(SR_BASE, Base);"));
}

TEST_CASE("check: a renamed class is reported without library fields",
          "[harness][signals][objects]") {
  const CheckResult result = AfterEdit<staged::Stage>(staged::ClassRenamed);
  INFO(Text(result));
  CHECK(result.errors);
  bool told = false;
  for (const Finding& finding : result.findings) {
    CHECK_THAT(finding.type, !Catch::StartsWith("objects<"));
    told = told || (findings::NameOf(finding.rule) == "GH002" &&
                    finding.message.find("Knight") != std::string::npos);
  }
  CHECK(told);
}

}  // namespace revctl::harness::test
