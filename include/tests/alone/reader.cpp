#include <revctl/reader.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool ReaderAlone() {
  const std::byte bytes[] = {std::byte{9}, {}, {}, {}};
  Score score;
  revctl::Reader r(bytes, 1);
  Serialize(r, score);
  return r.AtEnd() && score.points == 9;
}
