# The common part of all toolchain files in this folder. Each of them sets `triple`, the prefix of Debian's cross
# compiler, and the emulator that runs the programs. Programs are linked statically, so the emulator needs no libraries
# of the other machine.
set(CMAKE_CXX_COMPILER ${triple}-g++)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

# Link to this machine's header-only libraries instead of searching /usr/include, which would hide the cross compiler's
# own C library.
set(headers "${CMAKE_BINARY_DIR}/header_only_libraries")
file(MAKE_DIRECTORY "${headers}")
foreach(library catch2 fmt nlohmann CLI xxhash.h xxh3.h)
  if(NOT EXISTS "${headers}/${library}")
    file(CREATE_LINK "/usr/include/${library}" "${headers}/${library}" SYMBOLIC)
  endif()
endforeach()
set(CMAKE_CXX_FLAGS_INIT "-isystem ${headers}")
# The included file runs after project() and drops /usr/include from the targets of these libraries.
set(CMAKE_PROJECT_revctl_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/drop_usr_include.cmake")
