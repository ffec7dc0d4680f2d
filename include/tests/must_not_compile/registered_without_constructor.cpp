// reading creates objects as Derived{}
#include <revctl/serialize.h>

struct Actor {
  virtual ~Actor() = default;
};
REVCTL_POLYMORPHIC(Actor);
struct Goblin : Actor {
#ifdef FINE
  Goblin() {}
#else
  explicit Goblin(int) {}
#endif
};
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

bool Register() { return revctl::RegisterClass<Actor, Goblin>("goblin"); }
