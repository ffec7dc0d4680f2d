// Compiled once for each CASE by CMakeLists.txt, which expects the message that stands beside it
// there.
#include <revctl/plain.h>

struct Tree {
  PLAIN(Tree);
  FIELD(std::int32_t, age, 1) = 0;
  DEAD(bool, old, 1, 3);
#if CASE == 1
  FIELD(Tree*, next, 1) = nullptr;
#elif CASE == 2
  FIELD(long double, height, 1) = 0;
#elif CASE == 3
  FIELD(std::vector<int>, rings, 1);
#elif CASE == 4
  HOP(3) { to.Set<"age">(from.Get<"olld">() ? 100 : 0); }
#elif CASE == 5
  HOP(3) { to.Set<"old">(true); }  // dead at 3
#elif CASE == 6
  HOP(3) { from.Set<"old">(true); }  // the state before the hop cannot be written
#elif CASE == 7
  std::int32_t forgotten = 0;
#elif CASE == 8
  virtual ~Tree() = default;
#elif CASE == 9
  FIELD(std::int32_t[4], rings, 1) = {};
  HOP(3) { to.Set<"age">(from.Get<"rings">()[0]); }
#elif CASE == 10
  FIELD(wchar_t, letter, 1) = L'x';
#endif
};

#if CASE == 7
static_assert(revctl::plain_fits<Tree>, "the list is not the struct");
#endif

int main() {
  Tree tree{};
  return revctl::ReadPlain({}, 1, tree).Ok();
}
