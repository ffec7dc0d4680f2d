// SERIALIZE_DECLARE_FLAT, but this body is not flat
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
  int count = 0, more = 0;
};
SERIALIZE_DECLARE_FLAT(Bad);
SERIALIZE_DEFINE(Bad) {
  ADD(SR_INITIAL, count);
#ifdef FINE
  ADD(SR_INITIAL, more);
#else
  ADD_CONDITIONAL(SR_INITIAL, d.count > 0, more);
#endif
}
SERIALIZE_END
