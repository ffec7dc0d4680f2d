// use std::vector, or specialize revctl::SequenceOf
#include <revctl/serialize.h>

#include <list>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::vector<int> x;
#else
  std::list<int> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
