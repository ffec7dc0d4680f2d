// a revision must be an integer or an enumerator
// and: r.revision cannot be used in arithmetic
#include <revctl/serialize.h>

enum { SR_INITIAL = 1 };

struct GateValues {
  int whole = 0, yes = 0, number = 0;
};
SERIALIZE_TYPE(GateValues) {
#ifdef FINE
  ADD(1, whole);
  ADD(SR_INITIAL, yes);
#else
  ADD(1.5, whole);
  ADD(true, yes);
  d.number = int(r.revision);
#endif
}
SERIALIZE_END
void Use(revctl::Writer& w, GateValues& values) { Serialize(w, values); }
