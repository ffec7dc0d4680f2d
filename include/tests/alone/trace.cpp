#include <revctl/trace.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool TraceAlone() {
  revctl::TraceWriter trace(1);
  Serialize(trace, Score{});
  const auto leaves = trace.TakeLeaves();
  return leaves.size() == 1 && leaves[0].path == "Score.points" && leaves[0].text == "7" &&
         leaves[0].size == 4;
}
