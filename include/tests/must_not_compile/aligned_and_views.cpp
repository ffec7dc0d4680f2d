// ADD_ALIGNED: an alignment must be 2, 4, 8 or 16
// and: ADD_ALIGNED takes only types whose bytes are contiguous
// and: the elements of a View must be numbers, enums, bools or flat records
#include <revctl/serialize.h>
#include <revctl/view.h>

#include <map>
#include <vector>

struct Shelf {
  std::vector<float> odd;
  std::map<int, float> by_number;
};
SERIALIZE_TYPE(Shelf) {
#ifdef FINE
  ADD_ALIGNED(1, 4, odd);
  ADD(1, by_number);
#else
  ADD_ALIGNED(1, 3, odd);
  ADD_ALIGNED(1, 4, by_number);
#endif
}
SERIALIZE_END

struct Picky {
  int hp = 0;
};
SERIALIZE_TYPE(Picky) {
  ADD(1, hp);
#ifndef FINE
  if (d.hp < 0) r.Fail("looks at data");
#endif
}
SERIALIZE_END
struct Crowd {
  revctl::View<Picky> all;
};
SERIALIZE_TYPE(Crowd) { ADD(1, all); }
SERIALIZE_END

void Use(revctl::Writer& w, Shelf& shelf, Crowd& crowd) {
  Serialize(w, shelf);
  Serialize(w, crowd);
}
