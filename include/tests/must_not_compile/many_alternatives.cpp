// at most 255 alternatives
#include <revctl/serialize.h>

#include <array>
#include <utility>

template <std::size_t... i>
std::variant<std::array<bool, i>...> Many(std::index_sequence<i...>);

#ifdef FINE
using Type = decltype(Many(std::make_index_sequence<255>()));
#else
using Type = decltype(Many(std::make_index_sequence<256>()));
#endif
// Tests only the constant that every archive evaluates first. Compiling a whole body with this many
// alternatives takes half a minute.
constexpr auto kCount = revctl::detail::Shape<Type>::count;
