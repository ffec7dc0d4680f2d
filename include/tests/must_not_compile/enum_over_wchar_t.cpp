// write `enum E : int32_t`
#include <revctl/serialize.h>
enum { SR_INITIAL = 1 };
enum class E : wchar_t { A };
enum class F : std::int32_t { A };
struct Bad {
#ifdef FINE
  F x;
#else
  E x;
#endif
};
SERIALIZE_TYPE(Bad) { ADD(SR_INITIAL, x); }
SERIALIZE_END
void Use(revctl::Writer& w, Bad& bad) { Serialize(w, bad); }
