// no visible body; use SERIALIZE_DECLARE
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Inner {
  int x = 0;
};
SERIALIZE_DECLARE_FLAT(Inner);
struct Outer {
  Inner inner;
};
SERIALIZE_DECLARE_FLAT(Outer);
#ifdef FINE
SERIALIZE_DEFINE(Inner) { ADD(SR_INITIAL, x); }
SERIALIZE_END
#endif
SERIALIZE_DEFINE(Outer) { ADD(SR_INITIAL, inner); }
SERIALIZE_END
