#include <revctl/objects.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool ObjectsAlone() {
  const auto classes = revctl::ObjectClasses().Add<Score>("Score");
  std::vector<std::unique_ptr<Score>> scores, back;
  scores.push_back(std::make_unique<Score>());
  std::vector<std::byte> file;
  return revctl::SaveObjects(1, classes, scores, file).Ok() &&
         revctl::LoadObjects(file, classes, back, 1).Ok() && back.size() == 1 &&
         back[0]->points == 7;
}
