// Whole saves: a header with the version, then the modules one after another.
#pragma once
#include <vector>

#include "pad.h"
#include "state_wrapper.h"

namespace console {

struct SaveHeader {
  u32 magic;  // "CNSL"
  u32 version;
};
constexpr u32 kSaveMagic = 0x4C534E43;

AnalogPad& GetPad();
void Reset();
/// Runs the console for a number of ticks. This example does not emulate a processor; instead, each
/// module changes its own state.
void Run(u32 ticks);
bool DoState(StateWrapper& sw);
std::vector<u8> Save(u32 version);
bool Load(const std::vector<u8>& file);

}  // namespace console
