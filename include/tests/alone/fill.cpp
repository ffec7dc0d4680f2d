#include <revctl/fill.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool FillAlone() {
  return revctl::Filled<Score>(1, 0).points != revctl::Filled<Score>(1, 4).points;
}
