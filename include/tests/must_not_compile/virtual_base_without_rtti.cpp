// without RTTI, a pointer to a virtual base cannot be cast to the derived class
// option: -fno-rtti
#include <revctl/objects.h>

struct Actor {
  virtual ~Actor() = default;
};
#ifdef FINE
struct Goblin : Actor {};
#else
struct Goblin : virtual Actor {};
#endif
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

revctl::ObjectClasses Classes() { return revctl::ObjectClasses().Add<Goblin, Actor>("Goblin"); }
