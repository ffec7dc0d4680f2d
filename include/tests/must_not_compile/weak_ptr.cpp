// ADD_REF from objects.h for shared objects
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::unique_ptr<int> x;
#else
  std::weak_ptr<int> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
