#pragma once

namespace revctl::harness {

/// Lets the process keep blocks of up to 32 MB that it frees, as far as the C library can. A
/// command reads many large goldens one after another, and giving the memory back each time takes
/// longer than reading them.
void KeepFreedMemory();

}  // namespace revctl::harness
