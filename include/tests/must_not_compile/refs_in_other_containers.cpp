// a pointer says by itself that there is none
// and: ADD_REF knows vectors, arrays and maps of pointers, and no other container
#include <revctl/objects.h>

#include <list>
#include <set>

template <class T>
struct Array {  // some engine's
  T* items;
};
template <class T>
struct revctl::SequenceOf<Array<T>> {
  using Element = T;
};

struct Bad {
#ifdef FINE
  Bad* one;
  std::vector<Bad*> more;
  std::vector<Bad*> some;
  std::map<int, Bad*> others;
#else
  std::optional<Bad*> one;
  Array<Bad*> more;
  std::list<Bad*> some;
  std::set<Bad*> others;
#endif
};
SERIALIZE_TYPE(Bad) {
  ADD_REF(1, one);
  ADD_REF(1, more);
  ADD_REF(1, some);
  ADD_REF(1, others);
}
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
