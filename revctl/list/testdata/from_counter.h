// A program that only ever had one number, raised by hand, and takes up a list: what was before is one entry.

#pragma once

#include <cstdint>

using u32 = std::uint32_t;

namespace State
{
// Don't raise this any more; add an entry below
constexpr u32 LAST_COUNTED_VERSION = 0xA8;  // Last changed in change 12639

// Raise this if the header changes
constexpr u32 HEADER_VERSION = 1;  // Last changed in change 12217
constexpr u32 COOKIE_BASE = 0xBAADBABE;

enum class StateVersion : u32
{
  SV_COUNTED = LAST_COUNTED_VERSION,  // all before there was a list
  SV_DSP_MAILS,                       // Last changed in change 12701
  SV_WIDE_FIFO,
  SV_IOS_TIMERS = LAST_COUNTED_VERSION + 0x10,  // room for a branch that was long in the making
  SV_USB_KEYBOARD,
  SV_COUNT
};

constexpr u32 STATE_VERSION = static_cast<u32>(StateVersion::SV_COUNT) - 1;
constexpr u32 COOKIE = COOKIE_BASE + STATE_VERSION;
}  // namespace State
