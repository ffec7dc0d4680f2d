// private
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
class Shy {
#ifdef FINE
  SERIALIZE_FRIEND(Shy);
#endif
  int x = 0;
};
SERIALIZE_TYPE(Shy) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Shy& shy) { Serialize(w, shy); }
