// a unique_ptr to an array does not store its length
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Bad {
#ifdef FINE
  std::vector<int> x;
#else
  std::unique_ptr<int[]> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
