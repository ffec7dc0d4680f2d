// specialise revctl::KeyOrder<K>
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
struct Key {
  int x = 0;
  bool operator==(const Key&) const = default;
};
template <>
struct std::hash<Key> {
  std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.x); }
};
#ifdef FINE
template <>
struct revctl::KeyOrder<Key> {
  static bool Less(const Key& a, const Key& b) { return a.x < b.x; }
};
#endif
SERIALIZE_TYPE(Key) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, std::unordered_set<Key>& keys) { Serialize(w, keys); }
