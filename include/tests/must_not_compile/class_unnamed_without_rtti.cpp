// define std::string_view ClassNameOf(const T&)
// option: -fno-rtti
#include <revctl/objects.h>

struct Actor {
  virtual ~Actor() = default;
};
#ifdef FINE
inline std::string_view ClassNameOf(const Actor&) { return "Actor"; }
#endif
SERIALIZE_TYPE(Actor) { (void)r; }
SERIALIZE_END

bool Knows(const revctl::ObjectClasses& classes, const Actor& actor) {
  return classes.ClassOf(actor) != nullptr;
}
