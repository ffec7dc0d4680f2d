// a type that contains a comma needs an alias, such as `using Marks = std::map<int32_t, int32_t>
#include <revctl/serialize.h>

struct Score {
  int points = 0;
};
using Marks = std::map<int, int>;
SERIALIZE_TYPE(Score) {
#ifdef FINE
  REM(1, 2, Marks, marks, {});
#else
  REM(1, 2, std::map<int, int>, marks, {});
#endif
  ADD(1, points);
}
SERIALIZE_END
void Use(revctl::Writer& w, Score& score) { Serialize(w, score); }
