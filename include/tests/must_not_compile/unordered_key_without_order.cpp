// specialize revctl::KeyOrder<K>
// at global scope: the file contains a specialization
#include <revctl/serialize.h>
namespace case_unordered_key_without_order {
struct Key {
  int x = 0;
  bool operator==(const Key&) const = default;
};
}  // namespace case_unordered_key_without_order
using case_unordered_key_without_order::Key;
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
namespace case_unordered_key_without_order {
SERIALIZE_TYPE(Key) { ADD(1, x); }
SERIALIZE_END
}  // namespace case_unordered_key_without_order
void Use(revctl::Writer& w, std::unordered_set<Key>& keys) { Serialize(w, keys); }
