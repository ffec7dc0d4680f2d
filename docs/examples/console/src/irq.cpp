#include "modules.h"
#include "save_version.h"

namespace irq {
namespace {

union StatusRegister {
  u32 bits;
  struct {
    u32 vblank : 1, gpu : 1, cdrom : 1, dma : 1, timers : 3, pad : 1, rest : 24;
  } lines;
};

StatusRegister s_status{};
StatusRegister s_mask{};
u32 s_lines = 0;
u32 s_mask_delay = 0;
u32 s_steps = 0;  // steps since the last save, for the debugger; not saved

}  // namespace

void Reset() {
  s_status.bits = s_mask.bits = 0;
  s_lines = s_mask_delay = s_steps = 0;
}

void Raise(u32 line) {
  s_lines |= 1u << (line % 11);
  s_status.bits |= s_lines & s_mask.bits;
}

void Step(u32 tick) {
  s_mask.bits = 0x7FF;
  Raise(tick);
  s_mask_delay = tick & 1;
  ++s_steps;
}

bool DoState(StateWrapper& sw) {
  sw.Do(&s_status.bits);
  sw.Do(&s_mask.bits);
  sw.DoEx(&s_mask_delay, 20, 0u);
  sw.DoEx(&s_lines, SR_IRQ_EDGE, s_status.bits);
  return !sw.HasError();
}

}  // namespace irq
