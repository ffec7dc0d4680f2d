// a PLAIN struct needs at least one FIELD
// and: a PLAIN struct must have only public fields and no base class
// and: a PLAIN struct must have a default constructor
// and: too many indices: the field has fewer array dimensions
// and: an array of PLAIN structs needs an index for each dimension
// and: a nested struct cannot be set as a whole: set its fields through Get
#include <revctl/plain.h>

struct Empty {
  PLAIN(Empty);
#ifdef FINE
  FIELD(int, x, 1);
#endif
};
class Shy {
 public:
  PLAIN(Shy);
  FIELD(int, x, 1);

#ifndef FINE
 private:
#endif
  FIELD(int, y, 1);
};
struct Demanding {
  PLAIN(Demanding);
  FIELD(int, x, 1);
#ifndef FINE
  explicit Demanding(int to) : x(to) {}
#endif
};
struct Door {
  PLAIN(Door);
  FIELD(int, room, 1);
};
struct House {
  PLAIN(House);
  FIELD(int[3], floors, 1) = {};
  FIELD(Door[2], doors, 1);
  FIELD(Door, gate, 1);
#ifdef FINE
  HOP(2) {
    to.Set<"floors">(from.Get<"floors">(1), 0);
    to.Get<"doors">(0).Set<"room">(2);
    to.Get<"gate">().Set<"room">(3);
  }
#else
  HOP(2) {
    to.Set<"floors">(from.Get<"floors">(1, 2), 0);
    to.Get<"doors">().Set<"room">(2);
    to.Set<"gate">(Door{});
  }
#endif
};

template <class... T>
bool Read(T&... objects) {
  return (revctl::ReadPlain({}, 1, objects).Ok() && ...);
}
bool All(Empty& empty, Shy& shy, Demanding& demanding, House& house) {
  return Read(empty, shy, demanding, house);
}
