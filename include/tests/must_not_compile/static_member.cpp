// a static member is not part of the object, and reading would change it for all objects: shared
// option: -DALONE
// Compiled alone, because a compiler does not instantiate the archive that reports this after other
// errors.
#include <revctl/serialize.h>

struct Counter {
  int own = 0;
  static inline int shared = 0;
};
SERIALIZE_TYPE(Counter) {
  ADD(1, own);
#ifdef FINE
  SERIALIZE_IGNORE(shared);
#else
  ADD(1, shared);
#endif
}
SERIALIZE_END
void Use(revctl::Writer& w, Counter& counter) { Serialize(w, counter); }
