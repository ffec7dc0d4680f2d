# Settings for all targets of this project, and functions that add libraries, tests and fuzz targets.

set(CMAKE_CXX_EXTENSIONS OFF)

find_program(REVCTL_CCACHE ccache)
if(REVCTL_TOP_LEVEL AND REVCTL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Let ccache read the included files from the compiler's dependency file, because running the preprocessor would slow
  # down a first build by a tenth.
  set(CMAKE_CXX_COMPILER_LAUNCHER "env;CCACHE_DEPEND=1;${REVCTL_CCACHE}")
  # Make __FILE__ relative. Otherwise, cached objects would contain paths of the checkout that compiled them.
  file(RELATIVE_PATH from_build "${CMAKE_BINARY_DIR}" "${PROJECT_SOURCE_DIR}")
  string(REGEX REPLACE "([^/])$" "\\1/" from_build "${from_build}")  # no slash, if the build folder is elsewhere
  add_compile_options("-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=${from_build}")
endif()
if(REVCTL_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

# Treat warnings as errors only in top-level builds, so that an adopter's newer compiler does not break the build.
add_library(revctl_warnings INTERFACE)
target_compile_features(revctl_warnings INTERFACE cxx_std_20)
if(REVCTL_TOP_LEVEL)
  target_compile_options(revctl_warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror
    # g++ 12 reports false overlaps in optimized std::string operator+ (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
endif()

# Builds from scratch (ci/test, ci/quickstart) compile several files at once, which halves the time. Developers leave
# this off, so that a change recompiles only one file. Missing includes break only builds without this option, such as
# developers' builds and the test ci_release_made.
option(REVCTL_UNITY "Compile several files of a library at once" OFF)

# Enables tests that build the project again: with another compiler, with sanitizers, or as an adopter does. On in
# `ci/test`, off in the preset `dev`.
option(REVCTL_TEST_BUILDS "Tests that build the project in other ways" OFF)
option(REVCTL_TEST_FULL "Tests that take long: storms, everything under every compiler" OFF)

# ci/test compiles the tests with clang, which takes half as long as g++. The libraries, the programs, the examples'
# harnesses and include_proof_test are compiled with g++, which most adopters use. ci/test --full compiles everything
# with both.
set(REVCTL_TEST_COMPILER "" CACHE STRING "Compiler of the test programs, if it is another one (clang++)")
function(revctl_use_test_compiler)
  if(REVCTL_TEST_COMPILER)
    set_target_properties(${ARGN} PROPERTIES
      CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/instead;${REVCTL_TEST_COMPILER}")
  endif()
endfunction()

# The tests that ci/test builds and runs only with clang's sanitizers (build_with_clang in ci/CMakeLists.txt): a single
# small test that reads hostile bytes. ci/test --full runs all tests with sanitizers.
set(REVCTL_SANITIZED_TESTS "^include_reader_fuzz$")
function(revctl_is_tested_elsewhere name out)
  set(${out} OFF PARENT_SCOPE)
  if(REVCTL_TEST_BUILDS AND NOT REVCTL_TEST_FULL AND name MATCHES "${REVCTL_SANITIZED_TESTS}")
    set(${out} ON PARENT_SCOPE)
  endif()
endfunction()

# revctl_units(VARIABLE NAME SOURCE...): sets VARIABLE to the sources or, with REVCTL_UNITY, to generated files that
# include up to 60 of them each. This saves two thirds of g++'s time, because each unit instantiates the standard
# library's templates once. Memory peaks at 1.3 GB. CMake's own unity builds have absolute paths in their units, so
# checkouts could not share a compiler cache.
function(revctl_units variable name)
  set(units ${ARGN})
  if(REVCTL_UNITY AND ARGN)
    set(rest ${ARGN})
    set(units "")
    list(LENGTH rest all)
    math(EXPR count "(${all} + 59) / 60")
    math(EXPR size "(${all} + ${count} - 1) / ${count}")
    while(rest)
      list(SUBLIST rest 0 ${size} together)
      list(REMOVE_ITEM rest ${together})
      set(content "")
      foreach(source IN LISTS together)
        file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
        string(APPEND content "#include \"${path}\"\n")
      endforeach()
      list(LENGTH units number)
      set(unit "${CMAKE_CURRENT_BINARY_DIR}/${name}_${number}.cpp")
      file(CONFIGURE OUTPUT "${unit}" CONTENT "${content}" @ONLY)
      list(APPEND units "${unit}")
    endwhile()
  endif()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()

# revctl_library(NAME SOURCES ... [ALONE ...] LINK ...): adds a static library with the sources of one folder. Includes
# are relative to the root. ALONE: sources that are compiled separately even with REVCTL_UNITY.
function(revctl_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;LINK;PRIVATE_LINK" ${ARGN})
  revctl_units(units ${name} ${ARG_SOURCES})
  add_library(${name} STATIC ${units} ${ARG_ALONE})
  target_include_directories(${name} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>")
  target_link_libraries(${name} PUBLIC ${ARG_LINK}
    PRIVATE $<BUILD_INTERFACE:revctl_warnings> ${ARG_PRIVATE_LINK})
  target_compile_features(${name} PUBLIC cxx_std_20)
endfunction()

# revctl_test(NAME SOURCES ... TOGETHER ... LINK ... [HEADERS ...] [OWN_COMPILER]): adds a Catch2 program as a single
# ctest test. TOGETHER: sources without conflicting names; compiling several in one unit takes a third of the time.
# HEADERS: precompiled with REVCTL_UNITY; given as <> or [[""]]. OWN_COMPILER: ignores REVCTL_TEST_COMPILER. Each folder
# has one test program next to the code, so that Catch2's heavy header is compiled only a few times.
function(revctl_test name)
  if(NOT REVCTL_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "OWN_COMPILER" "TIMEOUT" "SOURCES;TOGETHER;LINK;ARGS;LABELS;HEADERS" ${ARGN})
  # Skip tests that use tests/support in cross builds, because it runs servers and programs on this machine.
  if(REVCTL_TOOL AND revctl_testing IN_LIST ARG_LINK)
    return()
  endif()
  if(NOT TARGET revctl_catch_main)
    find_package(Catch2 REQUIRED)
    add_library(revctl_catch_main STATIC "${PROJECT_SOURCE_DIR}/cmake/catch_main.cpp")
    # Compile Catch2's runner without optimization and sanitizers: it is the largest file, does not have to be fast, and
    # is not part of this project.
    target_compile_options(revctl_catch_main PRIVATE -O0 -g0 -fno-sanitize=all)
    target_link_libraries(revctl_catch_main PUBLIC Catch2::Catch2)
    target_compile_features(revctl_catch_main PUBLIC cxx_std_20)
    revctl_use_test_compiler(revctl_catch_main)
  endif()
  revctl_units(together ${name} ${ARG_TOGETHER})
  add_executable(${name} ${ARG_SOURCES} ${together})
  if(NOT ARG_OWN_COMPILER)
    revctl_use_test_compiler(${name})
  endif()
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE revctl_catch_main revctl_warnings ${ARG_LINK})
  # Do not optimize tests in debug builds. Each of Catch2's assertions runs only once, but optimizing them takes half of
  # the compile time.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Debug>:-O0>)
  if(REVCTL_UNITY)
    # Saves a sixth of the compile time, but an exception inside an assertion ends the test case.
    target_compile_definitions(${name} PRIVATE CATCH_CONFIG_FAST_COMPILE)
    # Precompile the headers of Catch2 and the library, which take clang a second per file. Not with g++ 12, which
    # ignores the warning pragmas in the library's macros if the header is precompiled.
    if(REVCTL_TEST_COMPILER)
      target_precompile_headers(${name} PRIVATE ${ARG_HEADERS})
    endif()
  endif()
  revctl_is_tested_elsewhere(${name} elsewhere)
  if(elsewhere)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1800)
  endif()
  # Allow more time: sanitized tests without optimization are about twelve times slower, and tests under --full share
  # two cores with builds.
  if(REVCTL_TEST_FULL OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(ARG_TIMEOUT 7200)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
endfunction()

# Precompiles the headers that all small programs with a harness include, which halves the compile time of each.
function(revctl_share_harness_headers)
  if(NOT REVCTL_UNITY OR NOT REVCTL_TEST_COMPILER)
    return()
  endif()
  if(NOT TARGET revctl_harness_headers)
    file(WRITE "${CMAKE_BINARY_DIR}/revctl_harness_headers.cpp" "")
    add_library(revctl_harness_headers OBJECT "${CMAKE_BINARY_DIR}/revctl_harness_headers.cpp")
    revctl_use_test_compiler(revctl_harness_headers)
    target_link_libraries(revctl_harness_headers PRIVATE revctl_headers)
    target_compile_options(revctl_harness_headers PRIVATE -O0 -g0)
    target_precompile_headers(revctl_harness_headers
      PRIVATE <revctl/harness.h> <map> <optional> <set> <string> <variant> <vector>)
  endif()
  foreach(program IN LISTS ARGN)
    target_precompile_headers(${program} REUSE_FROM revctl_harness_headers)
  endforeach()
endfunction()

# revctl_fuzz(NAME [SEEDS folder] SOURCES ... LINK ... DEFINITIONS ...): adds a fuzz target (include/fuzz/fuzz.h). ctest
# runs its seeds and two seconds of mutations. With REVCTL_BUILD_FUZZ (preset fuzz, clang), NAME_libfuzzer continues
# from there. SEEDS: a folder with inputs in addition to FuzzSeeds().
set(REVCTL_FUZZ_SECONDS 600 CACHE STRING "How long libFuzzer runs each target (REVCTL_BUILD_FUZZ)")
function(revctl_fuzz name)
  if(NOT REVCTL_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "SEEDS" "SOURCES;LINK;DEFINITIONS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES} "${PROJECT_SOURCE_DIR}/include/fuzz/fuzz_main.cpp")
  revctl_use_test_compiler(${name})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE revctl_warnings ${ARG_LINK})
  target_compile_definitions(${name} PRIVATE ${ARG_DEFINITIONS})
  revctl_is_tested_elsewhere(${name} elsewhere)
  if(elsewhere)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
    return()
  endif()
  add_test(NAME ${name} COMMAND ${name} 2 ${ARG_SEEDS})
  if(REVCTL_BUILD_FUZZ)
    add_executable(${name}_libfuzzer ${ARG_SOURCES})
    target_include_directories(${name}_libfuzzer PRIVATE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name}_libfuzzer PRIVATE revctl_warnings ${ARG_LINK})
    target_compile_definitions(${name}_libfuzzer PRIVATE ${ARG_DEFINITIONS})
    target_compile_options(${name}_libfuzzer PRIVATE -fsanitize=fuzzer)
    target_link_options(${name}_libfuzzer PRIVATE -fsanitize=fuzzer)
    math(EXPR timeout "${REVCTL_FUZZ_SECONDS} + 600")
    # libFuzzer writes the inputs that it discovers into the first folder, so pass a folder in the build tree first.
    add_test(NAME ${name}_libfuzzer COMMAND sh -c
      [[seeds=$1 program=$2 fuzzer=$3; shift 3; "$program" --write-seeds "$seeds" && exec "$fuzzer" "$seeds" "$@"]] sh
      ${name}_seeds $<TARGET_FILE:${name}> $<TARGET_FILE:${name}_libfuzzer> -max_total_time=${REVCTL_FUZZ_SECONDS} ${ARG_SEEDS})
    set_tests_properties(${name}_libfuzzer PROPERTIES LABELS fuzz TIMEOUT ${timeout} WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
  endif()
endfunction()
