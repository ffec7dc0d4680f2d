// `make` must return a new T*
#include <revctl/objects.h>

struct Actor {};
struct Goblin : Actor {};
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

#ifdef FINE
using Made = Goblin;
#else
using Made = Actor;
#endif
revctl::ObjectClasses Classes() {
  return revctl::ObjectClasses().Add<Goblin>("Goblin", [] { return new Made; });
}
