#pragma once
#include <string>

namespace revctl::harness {

/// The folder of goldens is not there, though HEAD has it. git is asked only where it is not there.
bool IsGone(const std::string& golden);

}  // namespace revctl::harness
