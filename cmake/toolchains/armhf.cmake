# 32-bit ARM, where char is unsigned.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(triple arm-linux-gnueabihf)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-arm)
include("${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake")
