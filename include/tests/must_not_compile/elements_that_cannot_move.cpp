// a std::vector moves its elements as it grows
#include <revctl/serialize.h>

struct Stone {
  std::string name;
#ifndef FINE
  Stone() = default;
  Stone(Stone&&) = delete;
#endif
};
SERIALIZE_TYPE(Stone) { ADD(1, name); }
SERIALIZE_END
void Use(revctl::Reader& r, std::vector<Stone>& stones) { Serialize(r, stones); }
