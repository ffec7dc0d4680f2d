// use ADD_BITS(since, wire type, member): x
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
  unsigned x : 3 = 0;
};
SERIALIZE_TYPE(Bad) {
#ifdef FINE
  ADD_BITS(SR_INITIAL, uint8_t, x);
#else
  ADD(SR_INITIAL, x);
#endif
}
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
