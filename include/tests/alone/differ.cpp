#include <revctl/differ.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool DifferAlone() {
  const auto differences = revctl::Differences(Score{7}, Score{8}, 1);
  return differences.size() == 1 && differences[0] == revctl::Difference{"Score.points", "7", "8"};
}
