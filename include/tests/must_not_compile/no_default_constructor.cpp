// needs a default constructor
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
struct No {
  explicit No(int v) : y(v) {}
  int y;
};
struct Yes {
  int y;
};
SERIALIZE_TYPE(No) { ADD(SR_INITIAL, y); }
SERIALIZE_END
SERIALIZE_TYPE(Yes) { ADD(SR_INITIAL, y); }
SERIALIZE_END
struct Bad;
void Read(revctl::Reader&, Bad&);
struct Bad {
#ifdef FINE
  std::vector<Yes> x;
#else
  std::vector<No> x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Reader& r, Bad& bad) { Serialize(r, bad); }
