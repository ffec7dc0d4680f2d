# What every target of this project shares: language level, warnings as errors, the shape of a test.

set(CMAKE_CXX_EXTENSIONS OFF)

find_program(REVCTL_CCACHE ccache)
if(REVCTL_TOP_LEVEL AND REVCTL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${REVCTL_CCACHE}")
endif()
if(REVCTL_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Warnings are errors for our own code only: an adopter's newer compiler must not break their build.
add_library(revctl_warnings INTERFACE)
target_compile_features(revctl_warnings INTERFACE cxx_std_20)
if(REVCTL_TOP_LEVEL)
  target_compile_options(revctl_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    # g++ 12 sees overlaps in std::string's operator+ that are not there (GCC bug 105651), once it optimises fully.
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
endif()

# A build that happens once (ci/test, ci/quickstart) reads the system's headers once for several files: half the time.
# Developers leave it off, so that a change compiles one file. What a file forgets to include, their build finds, and
# every build of ci/test --full.
option(REVCTL_UNITY "Compile several files of a library at once" OFF)

# revctl_library(NAME SOURCES ... LINK ...): a static library of one folder; includes are written from the root.
function(revctl_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;PRIVATE_LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK}
    PRIVATE $<BUILD_INTERFACE:revctl_warnings> ${ARG_PRIVATE_LINK})
  target_compile_features(${name} PUBLIC cxx_std_20)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${REVCTL_UNITY})
endfunction()

# revctl_test(NAME SOURCES ... LINK ...): a Catch2 program, one ctest case for the whole program.
# Tests stand beside what they test; one program a folder keeps Catch2's heavy header to a few compilations.
function(revctl_test name)
  if(NOT REVCTL_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINK;ARGS;LABELS" ${ARGN})
  if(NOT TARGET revctl_catch_main)
    find_package(Catch2 REQUIRED)
    add_library(revctl_catch_main STATIC "${PROJECT_SOURCE_DIR}/cmake/catch_main.cpp")
    # Catch2's runner is the largest file of all; it need not be fast, and is not what the sanitizers look at.
    target_compile_options(revctl_catch_main PRIVATE -O0 -g0 -fno-sanitize=all)
    target_link_libraries(revctl_catch_main PUBLIC Catch2::Catch2)
    target_compile_features(revctl_catch_main PUBLIC cxx_std_20)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE revctl_catch_main revctl_warnings ${ARG_LINK})
  # Nor need the tests themselves: half of what compiling them takes is optimising Catch2's assertions, each run once.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()
