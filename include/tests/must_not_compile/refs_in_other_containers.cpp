// ADD_REF does not support std::optional
// and: ADD_REF supports only vectors, arrays and maps of pointers
// at global scope: the file contains a specialization
#include <revctl/objects.h>

#include <list>
#include <set>

template <class T>
struct Array {  // a container as in game engines
  T* items;
};
template <class T>
struct revctl::SequenceOf<Array<T>> {
  using Element = T;
};

struct Holder {
#ifdef FINE
  Holder* one;
  std::vector<Holder*> more;
  std::vector<Holder*> some;
  std::map<int, Holder*> others;
#else
  std::optional<Holder*> one;
  Array<Holder*> more;
  std::list<Holder*> some;
  std::set<Holder*> others;
#endif
};
SERIALIZE_TYPE(Holder) {
  ADD_REF(1, one);
  ADD_REF(1, more);
  ADD_REF(1, some);
  ADD_REF(1, others);
}
SERIALIZE_END
void Use(revctl::Writer& w, Holder& holder) { Serialize(w, holder); }
