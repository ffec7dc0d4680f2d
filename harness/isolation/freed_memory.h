#pragma once

namespace revctl::harness {

/// Makes the process keep freed blocks of up to 32 MB, as far as the C library allows. A command
/// reads many large goldens one after another, and returning the memory to the system each time
/// takes longer than reading them.
void KeepFreedMemory();

}  // namespace revctl::harness
