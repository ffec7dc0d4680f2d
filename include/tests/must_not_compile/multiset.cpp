// elements with equal keys
#include <revctl/serialize.h>

#include <set>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::set<int> x;
#else
  std::multiset<int> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
