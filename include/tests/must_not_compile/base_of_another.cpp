// ADD_BASE needs a base class of this type, not: Chest
// and: ADD_BASE needs a base class of this type, not: Goblin
#include <revctl/serialize.h>

struct Actor {
  int hp;
};
struct Chest {
  int gold;
};
struct Goblin : Actor {
  int anger;
};
SERIALIZE_TYPE(Actor) { ADD(1, hp); }
SERIALIZE_END
SERIALIZE_TYPE(Chest) { ADD(1, gold); }
SERIALIZE_END
SERIALIZE_TYPE(Goblin) {
#ifdef FINE
  ADD_BASE(1, Actor);
#else
  ADD_BASE(1, Chest);
  ADD_BASE(1, Goblin);
#endif
  ADD(1, anger);
}
SERIALIZE_END
void Use(revctl::Writer& w, Goblin& goblin) { Serialize(w, goblin); }
