// raw pointers cannot be serialized
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::vector<int> x;
#else
  const char* x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
