// use std::variant
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
union Either {
  int i;
  float f;
};
struct Bad {
#ifdef FINE
  std::variant<int, float> x;
#else
  Either x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
