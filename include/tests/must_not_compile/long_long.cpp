// use int32_t, int64_t
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::int64_t x;
#else
  long long x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
