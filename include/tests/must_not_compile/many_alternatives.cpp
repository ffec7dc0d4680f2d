// at most 255 alternatives
#include <array>
#include <utility>
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };

template <std::size_t... i>
std::variant<std::array<bool, i>...> Many(std::index_sequence<i...>);

struct Bad {
#ifdef FINE
  decltype(Many(std::make_index_sequence<255>())) x;
#else
  decltype(Many(std::make_index_sequence<256>())) x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); } SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
