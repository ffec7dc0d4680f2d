// Add<T, Base>: Base is not a base class of T
#include <revctl/objects.h>

struct Actor {};
struct Goblin : Actor {};
struct Chest {};
SERIALIZE_TYPE(Goblin) { (void)r; }
SERIALIZE_END

#ifdef FINE
using Base = Actor;
#else
using Base = Chest;
#endif
revctl::ObjectClasses Classes() { return revctl::ObjectClasses().Add<Goblin, Base>("Goblin"); }
