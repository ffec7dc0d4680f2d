// a function cannot be saved: save an enum or a string instead
#include <revctl/serialize.h>

#include <functional>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::string x;
#else
  std::function<void()> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
