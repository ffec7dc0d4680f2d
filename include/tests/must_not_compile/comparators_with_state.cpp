// the key comparator is a function or has state, and reading
// and: or the hash is a function
#include <revctl/serialize.h>

#include <functional>

enum class Key : int {};
struct Less {
  bool operator()(Key a, Key b) const { return a < b; }
};
struct Seeded {
  std::size_t seed = 5;
  std::size_t operator()(Key key) const { return static_cast<std::size_t>(key) ^ seed; }
};
#ifdef FINE
using Compare = Less;
using Hash = Seeded;
#else
using Compare = std::function<bool(Key, Key)>;
using Hash = std::size_t (*)(Key);
#endif
void Use(revctl::Writer& w, std::map<Key, int, Compare>& map, std::set<Key, Compare>& set,
         std::unordered_map<Key, int, Hash>& hashed) {
  Serialize(w, map);
  Serialize(w, set);
  Serialize(w, hashed);
}
