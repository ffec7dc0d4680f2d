#include "modules.h"
#include "save_version.h"

namespace dma {
namespace {

struct Channel {
  u32 address;
  union Control {
    u32 bits;
    struct {
      u32 from_ram : 1, step_back : 1, chop : 1, mode : 2, rest : 27;
    } parts;
  } control;
  bool halted;
};

constexpr u32 kChannels = 3;
Channel s_channels[kChannels];
u32 s_priority = 0;
u16 s_chain = 0;
u32 s_ticks = 0;
u8 s_delay = 0;

}  // namespace

void Reset() {
  for (Channel& channel : s_channels) channel = {};
  s_priority = 0x7654321;
  s_chain = 0;
  s_ticks = 0;
  s_delay = 0;
}

void Step(u32 tick) {
  Channel& channel = s_channels[tick % kChannels];
  channel.address += 4 * tick;
  channel.control.parts.from_ram = tick & 1;
  channel.control.parts.mode = tick & 3;
  channel.halted = tick % 5 == 0;
  s_priority ^= tick;
  s_chain = static_cast<u16>(s_chain + tick);
  s_ticks += 0x4001;
  s_delay = static_cast<u8>(tick & 7);
}

bool DoState(StateWrapper& sw) {
  for (Channel& channel : s_channels) {
    sw.Do(&channel.address);
    sw.Do(&channel.control.bits);
    sw.DoEx(&channel.halted, 22, false);
  }
  sw.DoEx(&s_priority, 14, 0x7654321u);
  if (sw.GetVersion() < SR_DEBUG_DROPPED) {
    u32 transfers = 0;  // a counter that no code reads
    sw.Do(&transfers);
  }
  sw.DoEx(&s_chain, SR_DMA_CHAIN, u16{0xFFFF});
  if (sw.GetVersion() < SR_TICKS_WIDE) {
    u16 ticks = static_cast<u16>(s_ticks);
    sw.Do(&ticks);
    if (sw.IsReading()) s_ticks = ticks;
  } else {
    sw.Do(&s_ticks);
  }
  sw.DoEx(&s_delay, SR_DMA_DELAY, u8{4});
  return !sw.HasError();
}

}  // namespace dma
