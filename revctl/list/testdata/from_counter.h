// A program that raised a single number by hand before it had a list. One entry stands for all earlier versions.

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
  SV_COUNTED = LAST_COUNTED_VERSION,  // all versions before the list
  SV_DSP_MAILS,                       // Last changed in change 12701
  SV_WIDE_FIFO,
  SV_IOS_TIMERS = LAST_COUNTED_VERSION + 0x10,  // leaves room for a long-lived branch
  SV_USB_KEYBOARD,
  SV_COUNT
};

constexpr u32 STATE_VERSION = static_cast<u32>(StateVersion::SV_COUNT) - 1;
constexpr u32 COOKIE = COOKIE_BASE + STATE_VERSION;
}  // namespace State
