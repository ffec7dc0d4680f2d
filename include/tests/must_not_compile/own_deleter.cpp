// use std::unique_ptr<T>, or give the type a revctl::WireAs
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

struct Close {
  void operator()(int* x) const { delete x; }
};

struct Bad {
#ifdef FINE
  std::unique_ptr<int> x;
#else
  std::unique_ptr<int, Close> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
