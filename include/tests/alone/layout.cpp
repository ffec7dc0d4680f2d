#include <revctl/layout_archive.h>

namespace {

struct Score {
  std::int32_t points = 7;
};
SERIALIZE_TYPE(Score) { ADD(1, points); }
SERIALIZE_END

}  // namespace

bool LayoutAlone() {
  revctl::LayoutArchive layouts(1);
  Serialize(layouts, Score{});
  const auto types = layouts.Types();
  return types.size() == 1 && types[0].fields.size() == 1 && types[0].fields[0].type == "i32";
}
