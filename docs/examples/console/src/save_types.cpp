// The values that the harness compares, with a line for each static variable or member. Includes
// the .cpp files of the modules, because the variables are defined there.
#include "cdrom.cpp"
#include "dma.cpp"
#include "irq.cpp"
#include "spu.cpp"
#include "system.cpp"

#include "adapter.h"

template <class T, u32 N>
struct revctl::StateOf<Fifo<T, N>> {
  using Type = std::vector<T>;
  static void Get(const Fifo<T, N>& fifo, Type& values) {
    values.clear();
    for (u32 i = 0; i < fifo.GetSize(); ++i) values.push_back(fifo.Peek(i));
  }
  static void Put(const Type& values, Fifo<T, N>& fifo) {
    fifo.Clear();
    for (const T& value : values) fifo.Push(value);
  }
};

// For a union with a `bits` member, the line lists the bits.
#define IRQ_STATE(X)                                  \
  X(SR_INITIAL, status, irq::s_status.bits)           \
  X(SR_INITIAL, mask, irq::s_mask.bits)               \
  X(SR_IRQ_MASK_DELAY, mask_delay, irq::s_mask_delay) \
  X(SR_IRQ_EDGE, lines, irq::s_lines)
REVCTL_STATE(Irq, irq::DoState, IRQ_STATE);

#define CHANNEL_STATE(X)               \
  X(SR_INITIAL, address, address)      \
  X(SR_INITIAL, control, control.bits) \
  X(SR_DMA_HALT, halted, halted)
REVCTL_STATE_OF(Channel, dma::Channel, CHANNEL_STATE);

#define DMA_STATE(X)                            \
  X(SR_INITIAL, channels, dma::s_channels)      \
  X(SR_DMA_PRIORITY, priority, dma::s_priority) \
  X(SR_DMA_CHAIN, chain, dma::s_chain)          \
  X(SR_INITIAL, ticks, dma::s_ticks)            \
  X(SR_DMA_DELAY, delay, dma::s_delay)
REVCTL_STATE(Dma, dma::DoState, DMA_STATE);

#define BUFFER_STATE(X)             \
  X(SR_INITIAL, position, position) \
  X(SR_INITIAL, size, size)         \
  X(SR_INITIAL, data, data)
REVCTL_STATE_OF(Buffer, cdrom::SectorBuffer, BUFFER_STATE);

#define CDROM_STATE(X)                                   \
  X(SR_INITIAL, drive, cdrom::s_drive)                   \
  X(SR_INITIAL, status, cdrom::s_status)                 \
  X(SR_CDROM_SEEK, seek, cdrom::s_seek)                  \
  X(SR_CDROM_SPEED, double_speed, cdrom::s_double_speed) \
  X(SR_INITIAL, parameters, cdrom::s_parameters)         \
  X(SR_CDROM_RING, responses, cdrom::s_responses)        \
  X(SR_CDROM_MODE, mode, cdrom::s_mode.bits)             \
  X(SR_CDROM_VOLUME, volumes, cdrom::s_volumes)          \
  X(SR_CDROM_BUFFERS, buffers, cdrom::s_buffers)         \
  X(SR_CDROM_ASYNC, async_command, cdrom::s_async_command)
REVCTL_STATE(Cdrom, cdrom::DoState, CDROM_STATE);

#define ENVELOPE_STATE(X)         \
  X(SR_INITIAL, counter, counter) \
  X(SR_INITIAL, level, level)     \
  X(SR_INITIAL, rate, rate)
REVCTL_STATE_OF(EnvelopeState, spu::Envelope, ENVELOPE_STATE);

#define SPU_STATE(X)                            \
  X(SR_INITIAL, envelopes, spu::s_envelopes)    \
  X(SR_SPU_REVERB, reverb, spu::s_reverb)       \
  X(SR_SPU_NOISE, noise, spu::s_noise)          \
  X(SR_SPU_TRANSFER, transfer, spu::s_transfer) \
  X(SR_SPU_CAPTURE, capture, spu::s_capture)    \
  X(SR_SPU_FAST_REVERB, half_rate, spu::s_half_rate)
REVCTL_STATE(Spu, spu::DoState, SPU_STATE);

// Holds an object of a class without a default constructor. The class must declare
// `friend struct Pad;`.
#define PAD_STATE(X)                                   \
  X(SR_INITIAL, buttons, console::s_pad.m_buttons)     \
  X(SR_INITIAL, sticks, console::s_pad.m_sticks)       \
  X(SR_PAD_RUMBLE, motors, console::s_pad.m_motors)    \
  X(SR_PAD_TYPE, analog, console::s_pad.m_analog)      \
  X(SR_PAD_LOCK, locked, console::s_pad.m_locked)      \
  X(SR_PAD_COMMAND, command, console::s_pad.m_command) \
  X(SR_PAD_STEP, step, console::s_pad.m_step)
REVCTL_STATE(Pad, console::s_pad.DoState, PAD_STATE);

/// The root of files: all modules, in the order in which the program saves them.
struct Console {
  Irq irq;
  Dma dma;
  Cdrom cdrom;
  Spu spu;
  Pad pad;
  void Get() { irq.Get(), dma.Get(), cdrom.Get(), spu.Get(), pad.Get(); }
  void Put() const { irq.Put(), dma.Put(), cdrom.Put(), spu.Put(), pad.Put(); }
  static bool DoState(StateWrapper& sw) { return console::DoState(sw); }
};
SERIALIZE_TYPE(Console) {
  ADD(SR_INITIAL, irq);
  ADD(SR_INITIAL, dma);
  ADD(SR_INITIAL, cdrom);
  ADD(SR_INITIAL, spu);
  ADD(SR_INITIAL, pad);
}
SERIALIZE_END

// Bytes that are not listed above: the marker "RAM" with the memory, and a byte of padding in each
// of two envelopes.
template <>
inline constexpr int revctl::kUnlistedBytes<Console> = 3 + spu::kRamSize + 2;

HARNESS_TYPE_BY(Console, SR_INITIAL, console::Streams, Opaque);
HARNESS_FILES(Console, console::Saves);
HARNESS_SAMPLE(Console, "after 20 ticks") {
  console::Reset();
  console::Run(20);
  d.Get();
}
