// use std::map<K, std::vector<V>>
#include <revctl/serialize.h>

#include <map>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::map<int, int> x;
#else
  std::multimap<int, int> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
