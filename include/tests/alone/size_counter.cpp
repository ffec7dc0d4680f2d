#include <revctl/size_counter.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool SizeCounterAlone() { return revctl::WireSize(Score{}, 1) == 4; }
