// references cannot be serialized: store the value
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
  int kept = 0;
#ifdef FINE
  int x = 0;
#else
  int& x = kept;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
