#include <revctl/json_writer.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool JsonWriterAlone() {
  return revctl::ToJson(Score{}, 1, 0).find("\"points\": 7") != std::string::npos;
}
