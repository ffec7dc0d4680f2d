#include "model.h"

// Defines a HOP handler that the struct only declares. In this file, the handler can use headers
// that model.h should not include.
namespace voxel {

HOP_OF(Door, SR_FLAGS) {
  Flag flags = Flag::None;
  if (from.Get<"lit">()) flags = flags | Flag::Lit;
  if (from.Get<"locked">()) flags = flags | Flag::Locked;
  to.Set<"flags">(flags);
}

}  // namespace voxel
