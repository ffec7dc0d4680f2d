// function for call to
// The state before the hop cannot be written, because Set of a const view is not viable. Each
// compiler words this error differently.
#include <revctl/plain.h>

struct Shrub {
  PLAIN(Shrub);
  FIELD(std::int32_t, age, 1) = 0;
  DEAD(bool, old, 1, 3);
#ifdef FINE
  HOP(2) { to.Set<"old">(true); }
#else
  HOP(2) { from.Set<"old">(true); }
#endif
};
bool Read(Shrub& shrub) { return revctl::ReadPlain({}, 1, shrub).Ok(); }
