#pragma once
#include <revctl/objects.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

// A small game with pointers of every kind. Its classes have no members that serve only for
// serialization.
namespace game {

enum Rev : std::int32_t { SR_INITIAL = 1, SR_WEAPONS = 2, SR_TEAMS = 3, SR_LATEST = SR_TEAMS };

struct Weapon {
  std::string name;
  std::int32_t charges = 0;
  virtual ~Weapon() = default;
};
struct Bow : Weapon {
  float reach = 0;
};

struct Team {
  std::string name;
  std::weak_ptr<Team> enemy;
};

struct Actor {
  std::int32_t hp = 10;
  Actor* target = nullptr;
  std::vector<Actor*> followers;
  std::unique_ptr<Weapon> weapon;
  const Weapon* wanted = nullptr;  // owned by another object
  std::shared_ptr<Team> team;
  int linked = 0;
  static int alive;
  Actor() { ++alive; }
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;
  virtual ~Actor() { --alive; }
};
inline int Actor::alive = 0;

struct Usable {
  std::string label;
  virtual ~Usable() = default;
};

struct Goblin : Actor {
  std::int32_t anger = 0;
};
struct Door : Usable, Actor {  // the Actor part is not at offset 0
  bool open = false;
  Usable* key = nullptr;
};

inline void AfterLink(Goblin& goblin) {
  goblin.linked = goblin.target != nullptr ? goblin.target->hp : -1;
}

SERIALIZE_TYPE(Weapon) {
  ADD(SR_INITIAL, name);
  ADD(SR_INITIAL, charges);
}
SERIALIZE_END
SERIALIZE_TYPE(Bow) {
  ADD_BASE(SR_INITIAL, Weapon);
  ADD(SR_INITIAL, reach);
}
SERIALIZE_END
SERIALIZE_TYPE(Team) {
  ADD(SR_TEAMS, name);
  ADD_REF(SR_TEAMS, enemy);
}
SERIALIZE_END
SERIALIZE_TYPE(Actor) {
  ADD(SR_INITIAL, hp);
  ADD_REF(SR_INITIAL, target);
  ADD_REF(SR_INITIAL, followers);
  REM_REF(SR_INITIAL, SR_WEAPONS, Actor*, victim);
  ADD_REF(SR_WEAPONS, weapon);
  ADD_REF(SR_WEAPONS, wanted);
  ADD_REF(SR_TEAMS, team);
  if (r.IsReading() && r.revision < SR_WEAPONS && d.target == nullptr) d.target = victim;
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END
SERIALIZE_TYPE(Usable) { ADD(SR_INITIAL, label); }
SERIALIZE_END
SERIALIZE_TYPE(Goblin) {
  ADD_BASE(SR_INITIAL, Actor);
  ADD(SR_INITIAL, anger);
}
SERIALIZE_END
SERIALIZE_TYPE(Door) {
  ADD_BASE(SR_INITIAL, Usable);
  ADD_BASE(SR_INITIAL, Actor);
  ADD(SR_INITIAL, open);
  ADD_REF(SR_INITIAL, key);
}
SERIALIZE_END

inline revctl::ObjectClasses AllClasses() {
  return revctl::ObjectClasses()
      .Add<Actor>("Actor")
      .Add<Goblin, Actor>("Goblin")
      .Add<Door, Actor, Usable>("Door")
      .Add<Weapon>("Weapon")
      .Add<Bow, Weapon>("Bow")
      .Add<Team>("Team");
}
inline const revctl::ObjectClasses& Classes() {
  static const revctl::ObjectClasses classes = AllClasses();
  return classes;
}

using Actors = std::vector<std::unique_ptr<Actor>>;

/// A type whose body contains an object stream.
struct Level {
  std::string name;
  Actors actors;
  Actor* hero_is_not_saved = nullptr;
  std::int32_t after = 0;
};
SERIALIZE_TYPE(Level) {
  ADD(SR_INITIAL, name);
  ADD_OBJECTS(SR_INITIAL, Classes(), actors);
  ADD(SR_INITIAL, after);
  CHECK_INTEGRITY(SR_INITIAL);
}
SERIALIZE_END

/// Returns a graph with a cycle (goblin -> door -> goblin), a null pointer among the followers, and
/// objects that are owned, shared, or pointed to by `wanted`.
inline Actors SomeActors() {
  Actors actors;
  auto goblin = std::make_unique<Goblin>();
  auto door = std::make_unique<Door>();
  auto plain = std::make_unique<Actor>();
  goblin->anger = -7;
  goblin->hp = 31;
  goblin->target = door.get();  // points to a later object
  goblin->followers = {plain.get(), nullptr, door.get(), goblin.get()};
  auto bow = std::make_unique<Bow>();
  bow->name = "long";
  bow->reach = 2.5F;
  door->wanted = bow.get();
  goblin->weapon = std::move(bow);
  door->label = "gate";
  door->open = true;
  door->hp = 5;
  door->target = goblin.get();  // points back to an earlier object
  door->key = door.get();       // points to itself, through the base class Usable
  plain->target = plain.get();
  auto red = std::make_shared<Team>();
  auto blue = std::make_shared<Team>();
  red->name = "red";
  blue->name = "blue";
  red->enemy = blue;
  blue->enemy = red;
  goblin->team = red;
  plain->team = red;
  door->team = blue;
  actors.push_back(std::move(goblin));
  actors.push_back(std::move(door));
  actors.push_back(std::move(plain));
  return actors;
}

}  // namespace game
