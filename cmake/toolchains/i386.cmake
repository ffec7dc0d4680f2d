# 32-bit x86. Structs align 64-bit numbers to 4 bytes, and floating-point numbers pass through x87 registers.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triple i686-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386)
include("${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake")
