// use std::unique_ptr for an owned object
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::unique_ptr<int> x;
#else
  int* x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
