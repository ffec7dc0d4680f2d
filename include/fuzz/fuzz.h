#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

// A fuzz target is two functions. libFuzzer calls the first (preset fuzz, clang); without it,
// fuzz_main.cpp does, with the seeds and mutations of them, so that plain ctest runs each target
// too.

/// Runs one input. Aborts where a promise is broken; sanitizers see the rest.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Inputs that the target accepts.
std::vector<std::vector<std::uint8_t>> FuzzSeeds();
