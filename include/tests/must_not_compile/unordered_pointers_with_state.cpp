// ADD_REF supports only maps with a stateless comparator
#include <revctl/objects.h>
#include <unordered_map>

struct Alike {
#ifndef FINE
  int modulus = 10;
#endif
  bool operator()(int a, int b) const { return a == b; }
};
struct Bad {
  std::unordered_map<int, Bad*, std::hash<int>, Alike> others;
};
SERIALIZE_TYPE(Bad) { ADD_REF(1, others); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
