#include <revctl/save_file.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool SaveFileAlone() {
  std::vector<std::byte> file;
  Score score{9}, back;
  return revctl::Save(1, score, file).Ok() && revctl::Load(file, back, 1).Ok() && back.points == 9;
}
