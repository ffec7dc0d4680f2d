// keys are compared by a function or an object with state
// and: keys are compared or hashed by a function
#include <revctl/serialize.h>

#include <functional>

struct Less {
  bool operator()(int a, int b) const { return a < b; }
};
struct Seeded {
  std::size_t seed = 5;
  std::size_t operator()(int key) const { return static_cast<std::size_t>(key) ^ seed; }
};
#ifdef FINE
using Compare = Less;
using Hash = Seeded;
#else
using Compare = std::function<bool(int, int)>;
using Hash = std::size_t (*)(int);
#endif
void Use(revctl::Writer& w, std::map<int, int, Compare>& map, std::set<int, Compare>& set,
         std::unordered_map<int, int, Hash>& hashed) {
  Serialize(w, map);
  Serialize(w, set);
  Serialize(w, hashed);
}
