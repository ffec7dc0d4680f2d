// An arcade machine that grew over years. Nothing in this file mentions revctl.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "state_version.h"
#include "state_wrap.h"

struct Sprite {
  std::int16_t x = 0, y = 0;
  std::uint16_t tile = 0;
};

struct Cpu {
  std::uint16_t pc = 0x100, sp = 0xFFFE;
  std::uint8_t registers[4] = {};
  bool halted = false;

  void DoState(StateWrap& p) {
    if (p.Section("Cpu", 1, 1) == 0) return;
    Do(p, pc);
    Do(p, sp);
    DoArray(p, registers, 4);
    Do(p, halted);
  }
};

struct Machine {
  static constexpr int kRam = 32, kCoins = 5;

  std::string rom = "none";
  unsigned long long frame = 0;
  Cpu cpu;
  std::array<std::uint8_t, kRam> ram{};
  std::vector<Sprite> sprites;
  std::uint8_t credits = 0;

  void DoState(StateWrap& p) {
    const int version = p.Section("Machine", STATE_FIRST, STATE_CURRENT);
    if (version == 0) return;
    Do(p, rom);
    if (version >= STATE_LONG_FRAMES) {
      Do(p, frame);
    } else {
      auto frames = static_cast<std::uint32_t>(frame);
      Do(p, frames);
      if (p.mode == StateWrap::kLoad) frame = frames;
    }
    cpu.DoState(p);
    DoArray(p, ram.data(), kRam);
    Do(p, sprites);
    if (version >= STATE_CREDITS) {
      Do(p, credits);
    } else if (p.mode == StateWrap::kLoad) {  // in older states, the ROM counted coins
      credits = ram[kCoins] > 99 ? std::uint8_t{99} : ram[kCoins];
    }
  }
};

inline std::vector<unsigned char> SaveState(Machine& machine, int as = STATE_CURRENT) {
  StateWrap measure(nullptr, 0, StateWrap::kMeasure, as);
  machine.DoState(measure);
  std::vector<unsigned char> state(measure.Offset());
  StateWrap save(state.data(), state.size(), StateWrap::kSave, as);
  machine.DoState(save);
  return state;
}
