#include <array>

#include "modules.h"
#include "save_version.h"

namespace spu {

constexpr std::size_t kRamSize = 256;

namespace {

/// Saved with its memory layout, including padding.
struct Envelope {
  u32 counter;
  s16 level;
  u8 rate;
};

std::array<u8, kRamSize> s_ram{};
Envelope s_envelopes[2] = {};
s16 s_reverb[4] = {};
u16 s_noise = 1;
u32 s_transfer = 0;
u16 s_capture = 0;
bool s_half_rate = false;

}  // namespace

void Reset() {
  s_ram.fill(0);
  for (Envelope& envelope : s_envelopes) envelope = {};
  for (s16& value : s_reverb) value = 0;
  s_noise = 1;
  s_transfer = 0;
  s_capture = 0;
  s_half_rate = false;
}

void Step(u32 tick) {
  Envelope& envelope = s_envelopes[tick % 2];
  envelope.counter += tick;
  envelope.level = static_cast<s16>(envelope.level + 100);
  envelope.rate = static_cast<u8>(tick | 1);
  s_reverb[tick % 4] = static_cast<s16>(tick);
  s_noise = static_cast<u16>(s_noise << 1 | (s_noise >> 15));
  s_transfer = tick * 2 % kRamSize;
  s_ram[s_transfer] = static_cast<u8>(tick);
  s_capture = static_cast<u16>(tick % 64);
  s_half_rate = tick % 2 == 1;
}

bool DoState(StateWrapper& sw) {
  for (Envelope& envelope : s_envelopes) sw.DoPOD(&envelope);
  if (sw.GetVersion() >= 17) {
    sw.Do(&s_reverb);
  } else {
    for (s16& value : s_reverb) value = 0;
  }
  sw.DoEx(&s_noise, 21, u16{1});
  sw.DoEx(&s_transfer, 24, 0u);
  sw.DoEx(&s_capture, SR_SPU_CAPTURE, u16{0});
  if (sw.GetVersion() < SR_SPU_SWEEP) {
    // Before SR_SPU_SWEEP, envelopes had no sweep and their rates were twice as high.
    for (Envelope& envelope : s_envelopes) {
      if (sw.IsReading()) envelope.rate = static_cast<u8>(envelope.rate / 2);
    }
  }
  sw.DoEx(&s_half_rate, SR_SPU_FAST_REVERB, true);
  sw.DoMarker("RAM");
  sw.DoBytes(s_ram.data(), s_ram.size());
  return !sw.HasError();
}

}  // namespace spu
