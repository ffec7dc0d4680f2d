#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

// A fuzz target defines the two functions below. libFuzzer calls the first (preset fuzz, clang).
// Without libFuzzer, fuzz_main.cpp calls it with the seeds and with mutations of them, so that
// plain ctest also runs each target.

/// Runs one input. Aborts if a result is wrong. Sanitizers find all other errors.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

/// Returns inputs that the target accepts.
std::vector<std::vector<std::uint8_t>> FuzzSeeds();
