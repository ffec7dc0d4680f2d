// The actors of a level. Nothing here is specific to saving: no ids, no base class, no members or
// macros.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace actors {

struct Actor {
  virtual ~Actor() = default;
  std::string name;
  std::int32_t hp = 100;
  Actor* target = nullptr;     // owned by another object
  std::vector<Actor*> allies;  // may contain cycles
  float fade = 0;              // transparency; not saved
};

struct Wolf : Actor {
  std::int32_t hunger = 0;
};

struct Knight : Actor {
  Actor* mount = nullptr;
  float speed = 0;  // computed from the mount; not saved
};

struct Item {
  std::string name;
  std::uint32_t gold = 0;
};

struct Chest : Actor {
  std::unique_ptr<Item> inside;  // owned, so it is saved with the chest
  Actor* lockedBy = nullptr;
};

struct Level {
  std::string map;
  std::vector<std::unique_ptr<Actor>> actors;
};

}  // namespace actors
