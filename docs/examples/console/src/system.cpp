#include "system.h"

#include "modules.h"

namespace console {
namespace {

AnalogPad s_pad(0);

}  // namespace

AnalogPad& GetPad() { return s_pad; }

void Reset() {
  irq::Reset();
  dma::Reset();
  cdrom::Reset();
  spu::Reset();
  s_pad.Reset();
}

void Run(u32 ticks) {
  for (u32 tick = 1; tick <= ticks; ++tick) {
    irq::Step(tick);
    dma::Step(tick);
    cdrom::Step(tick);
    spu::Step(tick);
    s_pad.Poll(tick);
  }
}

bool DoState(StateWrapper& sw) {
  return irq::DoState(sw) && dma::DoState(sw) && cdrom::DoState(sw) && spu::DoState(sw) &&
         s_pad.DoState(sw);
}

std::vector<u8> Save(u32 version) {
  StateWrapper sw(version);
  SaveHeader header{kSaveMagic, version};
  sw.DoPOD(&header);
  DoState(sw);
  return sw.GetBytes();
}

bool Load(const std::vector<u8>& file) {
  SaveHeader header{};
  if (file.size() < sizeof(header)) return false;
  std::memcpy(&header, file.data(), sizeof(header));
  if (header.magic != kSaveMagic || header.version > SAVE_VERSION ||
      header.version < SAVE_MINIMUM_VERSION)
    return false;
  StateWrapper sw(file.data() + sizeof(header), file.size() - sizeof(header), header.version);
  Reset();
  return DoState(sw) && sw.IsAtEnd();
}

}  // namespace console
