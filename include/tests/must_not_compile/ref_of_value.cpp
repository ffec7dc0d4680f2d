// ADD_REF takes T*, unique_ptr, shared_ptr, weak_ptr
#include <revctl/objects.h>

struct Bad {
#ifdef FINE
  Bad* x;
#else
  int x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD_REF(1, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
