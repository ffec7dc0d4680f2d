#include <revctl/json_reader.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool JsonReaderAlone() {
  Score score;
  revctl::JsonReader json(R"({"points": 9})", 1);
  Serialize(json, score);
  return json.Ok() && score.points == 9;
}
