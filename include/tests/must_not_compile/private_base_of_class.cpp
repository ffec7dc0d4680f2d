// Add<T, Base>: Base must be a public base of T
#include <revctl/objects.h>

struct Actor {};
#ifdef FINE
struct Goblin : Actor {};
#else
class Goblin : Actor {};
#endif
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

revctl::ObjectClasses Classes() { return revctl::ObjectClasses().Add<Goblin, Actor>("Goblin"); }
