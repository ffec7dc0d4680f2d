// declare REVCTL_POLYMORPHIC(Base), or make the class final
#include <revctl/serialize.h>
struct Base {
  virtual ~Base() = default;
  int x = 0;
};
#ifdef FINE
REVCTL_POLYMORPHIC(Base);
#endif
SERIALIZE_TYPE(Base) { ADD(1, x); }
SERIALIZE_END
void Use(revctl::Writer& w, std::unique_ptr<Base>& p) { Serialize(w, p); }
