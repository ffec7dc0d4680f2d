// cannot be a pointer: store an index or an id
// and: long double differs between machines
// and: a plain field must be a number, bool, enum, another PLAIN struct
// and: no field with this name exists at this revision
// and: the list does not match the struct
// and: a PLAIN struct must be trivially copyable
// and: cannot return a C array: add an index
// and: wchar_t differs between machines
#include <revctl/plain.h>

#ifdef FINE
#define FINE_OR_NOT(fine, wrong) fine
#else
#define FINE_OR_NOT(fine, wrong) wrong
#endif

struct Pointer {
  PLAIN(Pointer);
  FIELD(FINE_OR_NOT(int, Pointer*), next, 1) = {};
};
struct LongDouble {
  PLAIN(LongDouble);
  FIELD(FINE_OR_NOT(double, long double), height, 1) = 0;
};
struct Container {
  PLAIN(Container);
  FIELD(FINE_OR_NOT(int, std::vector<int>), rings, 1) = {};
};
struct Misspelt {
  PLAIN(Misspelt);
  FIELD(std::int32_t, age, 1) = 0;
  DEAD(bool, old, 1, 3);
  HOP(3) { to.Set<"age">(from.Get<FINE_OR_NOT("old", "olld")>() ? 100 : 0); }
};
struct Forgetful {
  PLAIN(Forgetful);
  FIELD(std::int32_t, age, 1) = 0;
  FINE_OR_NOT(FIELD(std::int32_t, forgotten, 1), std::int32_t forgotten) = 0;
};
static_assert(revctl::plain_fits<Forgetful>, "the list does not match the struct");
struct Virtual {
  PLAIN(Virtual);
  FIELD(std::int32_t, age, 1) = 0;
  FINE_OR_NOT(, virtual ~Virtual() = default;)
};
struct WholeArray {
  PLAIN(WholeArray);
  FIELD(std::int32_t, age, 1) = 0;
  FIELD(std::int32_t[4], rings, 1) = {};
  HOP(3) { to.Set<"age">(FINE_OR_NOT(from.Get<"rings">(0), from.Get<"rings">()[0])); }
};
struct WideLetter {
  PLAIN(WideLetter);
  FIELD(FINE_OR_NOT(char, wchar_t), letter, 1) = 0;
};

template <class... T>
bool Read(T&... objects) {
  return (revctl::ReadPlain({}, 1, objects).Ok() && ...);
}
bool All(Pointer& a, LongDouble& b, Container& c, Misspelt& d, Forgetful& e, Virtual& f,
         WholeArray& g, WideLetter& h) {
  return Read(a, b, c, d, e, f, g, h);
}
