#pragma once
#include <atomic>
#include <cstddef>

namespace revctl::harness {

/// This process may take `most` bytes beyond what it has. `refused` is set once it was refused
/// more, and must outlive the process.
void LimitMemory(std::size_t most, std::atomic<bool>& refused);

}  // namespace revctl::harness
