#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

// A fuzz target defines the two functions below. libFuzzer calls the first (preset fuzz, clang).
// Without libFuzzer, fuzz_main.cpp calls it with the seeds and their mutations, so that each target
// also runs in plain ctest.

/// Runs one input. Aborts if a result is wrong; all other errors are left to the sanitizers.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Returns inputs that the target accepts.
std::vector<std::vector<std::uint8_t>> FuzzSeeds();
