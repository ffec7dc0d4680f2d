// ADD_REF supports only maps with a stateless comparator
#include <revctl/objects.h>

#include <map>

struct Bad {
#ifdef FINE
  std::map<std::int32_t, Bad*> others;
#else
  std::map<std::int32_t, Bad*, bool (*)(std::int32_t, std::int32_t)> others;
#endif
};
SERIALIZE_TYPE(Bad) { ADD_REF(1, others); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
