// The versions of saves. Each change to a DoState function adds one.
#pragma once

enum SaveVersion : unsigned {
  SR_INITIAL = 12,     // the oldest version that is still read
  SR_TIMER_RELOAD,     // timers keep their reload value
  SR_DMA_PRIORITY,     // the DMA priority register
  SR_LINE_COUNTER,     // timer 1 counts lines
  SR_CDROM_SEEK,       // the drive's seek target
  SR_SPU_REVERB,       // reverb registers
  SR_PAD_RUMBLE,       // rumble motors
  SR_CDROM_SPEED,      // double speed is part of the drive state
  SR_IRQ_MASK_DELAY,   // writes to the mask take a cycle
  SR_SPU_NOISE,        // the noise generator's level
  SR_DMA_HALT,         // halted channels
  SR_CDROM_RING,       // responses are a ring instead of text
  SR_SPU_TRANSFER,     // address of the running transfer
  SR_TIMER_GATE,       // timer gates
  SR_PAD_TYPE,         // digital or analog
  SR_PAD_LOCK,         // the mode button can be locked
  SR_CDROM_MODE,       // mode register
  SR_CDROM_VOLUME,     // CD audio volumes
  SR_SPU_CAPTURE,      // position in the capture buffers
  SR_DMA_CHAIN,        // linked lists
  SR_DEBUG_DROPPED,    // saves no longer contain the counter of DMA transfers
  SR_IRQ_EDGE,         // edges of the interrupt lines
  SR_CDROM_BUFFERS,    // eight sector buffers
  SR_CDROM_ASYNC,      // command results arrive later
  SR_SPU_SWEEP,        // envelopes sweep
  SR_PAD_COMMAND,      // the command in progress
  SR_SPU_FAST_REVERB,  // the half rate of reverb
  SR_DMA_DELAY,        // ticks until a channel starts
  SR_TICKS_WIDE,       // ticks have 32 bits
  SR_PAD_STEP,         // the step of the command in progress
  SR_LATEST = SR_PAD_STEP
};

constexpr unsigned SAVE_VERSION = SR_LATEST;
constexpr unsigned SAVE_MINIMUM_VERSION = SR_INITIAL;
