// The modules of the console. Their state is in static variables of their .cpp files.
#pragma once
#include "state_wrapper.h"

namespace irq {
void Reset();
void Step(u32 tick);
void Raise(u32 line);
bool DoState(StateWrapper& sw);
}  // namespace irq

namespace dma {
void Reset();
void Step(u32 tick);
bool DoState(StateWrapper& sw);
}  // namespace dma

namespace cdrom {
void Reset();
void Step(u32 tick);
void Command(u8 command);
bool DoState(StateWrapper& sw);
}  // namespace cdrom

namespace spu {
void Reset();
void Step(u32 tick);
bool DoState(StateWrapper& sw);
}  // namespace spu
