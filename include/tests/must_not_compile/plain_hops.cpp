// no field with this name exists at this revision
#include <revctl/plain.h>

struct Tree {
  PLAIN(Tree);
  FIELD(std::int32_t, age, 1) = 0;
  DEAD(bool, old, 1, 3);
#ifdef FINE
  HOP(2) { to.Set<"old">(true); }
#else
  HOP(3) { to.Set<"old">(true); }  // `old` is dead at 3
#endif
};
bool Read(Tree& tree) { return revctl::ReadPlain({}, 1, tree).Ok(); }
