// the base class needs `virtual const char* RevctlClassName() const`
// option: -fno-rtti
#include <revctl/serialize.h>

struct Actor {
  virtual ~Actor() = default;
#ifdef FINE
  virtual const char* RevctlClassName() const { return "actor"; }
#endif
};
REVCTL_POLYMORPHIC(Actor);
struct Goblin : Actor {};
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

bool Register() { return revctl::RegisterClass<Actor, Goblin>("goblin"); }
