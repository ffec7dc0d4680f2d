#include <revctl/writer.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool WriterAlone() {
  revctl::Writer w(1);
  Serialize(w, Score{});
  return w.Ok() && w.Bytes().size() == 4 && w.Bytes()[0] == std::byte{7};
}
