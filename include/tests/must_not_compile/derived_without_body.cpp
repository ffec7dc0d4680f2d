// A derived class needs its own body
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
struct Base {
  int y;
};
struct Derived : Base {
  int z;
};
SERIALIZE_TYPE(Base) { ADD(SR_INITIAL, y); }
SERIALIZE_END
struct Bad {
#ifdef FINE
  Base x;
#else
  Derived x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
