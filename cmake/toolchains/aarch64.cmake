# 64-bit ARM, where char is unsigned.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(triple aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64)
include("${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake")
