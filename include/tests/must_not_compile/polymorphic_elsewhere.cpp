// REVCTL_POLYMORPHIC belongs in the namespace of its class
// and: where the compiler looks for it: game::Effect
#include <revctl/serialize.h>

namespace game {
struct Effect {
  virtual ~Effect() = default;
};
#ifdef FINE
REVCTL_POLYMORPHIC(Effect);
#endif
}  // namespace game
#ifndef FINE
REVCTL_POLYMORPHIC(game::Effect);
#endif
