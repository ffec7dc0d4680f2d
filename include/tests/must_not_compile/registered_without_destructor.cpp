// Base must have a virtual destructor
#include <revctl/serialize.h>

struct Actor {
  virtual void Act() {}
#ifdef FINE
  virtual ~Actor() = default;
#endif
};
REVCTL_POLYMORPHIC(Actor);
struct Goblin : Actor {};
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

bool Register() { return revctl::RegisterClass<Actor, Goblin>("goblin"); }
