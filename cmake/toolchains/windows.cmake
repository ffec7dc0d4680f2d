# 64-bit Windows, compiled with MinGW-w64. long has 32 bits. The programs run under Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR AMD64)
set(triple x86_64-w64-mingw32)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
include("${CMAKE_CURRENT_LIST_DIR}/debian_cross.cmake")
# Use the compiler variant that supports std::thread.
set(CMAKE_CXX_COMPILER ${triple}-g++-posix)
# Use the larger object format, because unoptimized test programs have more sections than the default format allows.
string(APPEND CMAKE_CXX_FLAGS_INIT " -Wa,-mbig-obj")
# Use LLVM's archiver and linker if they are installed. MinGW's take minutes for objects with many sections.
find_program(REVCTL_LLVM_AR NAMES llvm-ar llvm-ar-14)
find_program(REVCTL_LLVM_RANLIB NAMES llvm-ranlib llvm-ranlib-14)
if(REVCTL_LLVM_AR AND REVCTL_LLVM_RANLIB)
  set(CMAKE_AR "${REVCTL_LLVM_AR}" CACHE FILEPATH "")
  set(CMAKE_RANLIB "${REVCTL_LLVM_RANLIB}" CACHE FILEPATH "")
endif()
find_program(REVCTL_LLD ld.lld)
if(REVCTL_LLD)
  string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -wrapper ${CMAKE_CURRENT_LIST_DIR}/windows-linker")
endif()
# Omit timestamps from programs, so that the same sources yield the same bytes.
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -Wl,--no-insert-timestamp")
