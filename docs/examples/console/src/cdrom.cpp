#include <array>

#include "fifo.h"
#include "modules.h"
#include "save_version.h"

namespace cdrom {
namespace {

enum class Drive : u8 { Idle, Seeking, Reading, Playing, Stopped };

struct SectorBuffer {
  u32 position;
  u16 size;
  std::array<u8, 16> data;
};

union ModeRegister {
  u8 bits;
  struct {
    u8 audio : 1, pause : 1, report : 1, filter : 1, ignore : 1, raw : 1, adpcm : 1, fast : 1;
  } parts;
};

Drive s_drive = Drive::Idle;
u8 s_status = 0;
u32 s_seek = 0;
bool s_double_speed = false;
ModeRegister s_mode{};
Fifo<u8, 16> s_parameters;
Fifo<u8, 16> s_responses;
u8 s_volumes[4] = {};
std::array<SectorBuffer, 4> s_buffers{};
u8 s_async_command = 0;

void DoBuffers(StateWrapper& sw) {
  for (SectorBuffer& buffer : s_buffers) {
    sw.Do(&buffer.position);
    sw.Do(&buffer.size);
    sw.DoBytes(buffer.data.data(), buffer.data.size());
  }
}

}  // namespace

void Reset() {
  s_drive = Drive::Idle;
  s_status = 0;
  s_seek = 0;
  s_double_speed = false;
  s_mode.bits = 0;
  s_parameters.Clear();
  s_responses.Clear();
  for (u8& volume : s_volumes) volume = 0x80;
  s_buffers = {};
  s_async_command = 0;
}

void Command(u8 command) {
  s_async_command = command;
  while (s_parameters.GetSize() > 0) s_responses.Push(s_parameters.Pop());
}

void Step(u32 tick) {
  s_drive = tick % 3 == 0 ? Drive::Reading : Drive::Playing;
  s_status = static_cast<u8>(tick);
  s_seek = tick * 75;
  s_double_speed = tick % 2 == 0;
  s_mode.bits = static_cast<u8>(tick * 3);
  s_parameters.Push(static_cast<u8>(tick));
  if (tick % 4 == 0) Command(static_cast<u8>(tick));
  s_volumes[tick % 4] = static_cast<u8>(tick);
  SectorBuffer& buffer = s_buffers[tick % s_buffers.size()];
  buffer.position = s_seek;
  buffer.size = static_cast<u16>(tick % buffer.data.size());
  buffer.data[buffer.size] = s_status;
}

bool DoState(StateWrapper& sw) {
  sw.Do(&s_drive);
  sw.Do(&s_status);
  sw.DoEx(&s_seek, 16, 0u);
  sw.DoEx(&s_double_speed, 19, false);
  s_parameters.DoState(sw);
  if (sw.GetVersion() >= 23) {
    s_responses.DoState(sw);
  } else {
    s_responses.Clear();
    u8 response = 0;
    sw.Do(&response);
    if (sw.IsReading() && response != 0) s_responses.Push(response);
  }
  sw.DoEx(&s_mode.bits, SR_CDROM_MODE, u8{0x20});
  if (sw.GetVersion() >= SR_CDROM_VOLUME) {
    sw.Do(&s_volumes);
  } else {
    for (u8& volume : s_volumes) volume = 0x80;
  }
  if (sw.GetVersion() >= SR_CDROM_BUFFERS) DoBuffers(sw);
  else s_buffers = {};
  sw.DoEx(&s_async_command, SR_CDROM_ASYNC, s_status);
  return !sw.HasError();
}

}  // namespace cdrom
