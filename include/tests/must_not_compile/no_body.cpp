// no Serialize for this type
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
struct Other {
  int y;
};
struct Bad {
#ifdef FINE
  int x;
#else
  Other x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
