// some values of the enum would not fit into the integer
// at global scope: the file contains a specialization
#include <revctl/serialize.h>

enum class Terrain : std::int32_t { Grass, Rock };
#ifdef FINE
using OnTheWire = std::int64_t;
#else
using OnTheWire = std::int8_t;
#endif
template <>
struct revctl::WireAs<Terrain> : revctl::EnumWireAs<Terrain, OnTheWire> {};
void Use(revctl::Writer& w, Terrain& terrain) { Serialize(w, terrain); }
