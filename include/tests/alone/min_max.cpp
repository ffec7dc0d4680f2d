// Defines the macros `min` and `max`, as <windows.h> does, and then includes every public header.
// The standard library's headers come first, because they do not compile with these macros, and
// g++'s <algorithm> undefines them.
#include <bits/stdc++.h>

#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#include "every_public_header.inc"

namespace {

struct Score {
  std::map<std::string, float> points;
  std::vector<bool> flags;
};
SERIALIZE_TYPE(Score) {
  ADD(1, points);
  ADD(1, flags);
}
SERIALIZE_END

struct Cell {
  PLAIN(Cell);
  FIELD(std::int32_t, x, 1) = 3;
  DEAD(float, light, 1, 2);
  FIELD(double, light, 2) = 0.5;
};

}  // namespace

bool BehindMinMax() {
  Score score, back;
  score.points["a"] = 2;
  Cell cell, cell_back;
  cell.x = 9;
  std::vector<std::byte> bytes, old;
  return revctl::Save(1, score, bytes).Ok() && revctl::Load(bytes, back, 1).Ok() &&
         revctl::Differences(score, back, 1).empty() && revctl::WritePlain(cell, old, 1).Ok() &&
         revctl::ReadPlain(old, 1, cell_back).Ok() && cell_back.x == 9;
}
