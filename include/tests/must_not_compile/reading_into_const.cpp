// cannot read into a const object
#include <revctl/serialize.h>
#ifdef FINE
void Use(revctl::Writer& r, const int& value) { Serialize(r, value); }
#else
void Use(revctl::Reader& r, const int& value) { Serialize(r, value); }
#endif
