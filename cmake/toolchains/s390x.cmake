# 64-bit IBM Z, which is big-endian.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(triple s390x-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x)
include("${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake")
