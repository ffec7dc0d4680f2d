# Functions for adopters, for both this tree (add_subdirectory) and the installed package (find_package).
#
#   revctl_add_list(TARGET LIST src/master_version_list.h)
#       Lets TARGET include <master_version_list.revctl.h>: names, numbers and lineages of the list, for Save and Load.
#
#   revctl_add_types(TARGET TYPES src/types.yaml HEADER types.h [LIST src/master_version_list.h])
#       Lets TARGET include "types.h", which `revctl generate` writes from the definition file. With LIST, a revision that
#       the list lacks is reported at its line of the definition file, instead of by the compiler.
#
#   revctl_add_harness(NAME LIST src/master_version_list.h GOLDEN golden SOURCES src/save_types.cpp LIBRARIES game [TESTS])
#       Adds an executable that checks the goldens in GOLDEN. SOURCES contain the HARNESS_TYPEs and optionally Catch2
#       TEST_CASEs. With TESTS, ctest finds each test case: one for each HARNESS_TYPE, one for the store, and your own.

if(TARGET revctl AND NOT TARGET revctl::tool)  # in this tree
  add_executable(revctl::tool ALIAS revctl)
endif()

# Prints a hint if the clone that contains `policy` has no merge driver, once per CMake run and never in CI.
function(revctl_say_where_not_installed policy)
  get_property(said GLOBAL PROPERTY REVCTL_ASKED_FOR_DRIVER)
  if(said OR DEFINED ENV{CI})
    return()
  endif()
  set_property(GLOBAL PROPERTY REVCTL_ASKED_FOR_DRIVER ON)
  get_filename_component(folder "${policy}" DIRECTORY)
  execute_process(COMMAND git -C "${folder}" config merge.revctl.driver
    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
  if(result EQUAL 1)  # 1: the key is not set; outside a repository, git returns another status
    message(STATUS "revctl: this clone has no merge driver and no hooks; run: revctl install")
  endif()
endfunction()

# Sets `out_policy` to the nearest .revctl.yaml in the file's folder or a parent folder, or to "".
function(revctl_find_policy list_file out_policy)
  set(policy "")
  set(at "${list_file}")
  while(NOT policy)
    get_filename_component(above "${at}" DIRECTORY)
    if(above STREQUAL at)
      break()
    endif()
    set(at "${above}")
    if(EXISTS "${at}/.revctl.yaml")
      set(policy "${at}/.revctl.yaml")
    endif()
  endwhile()
  set(${out_policy} "${policy}" PARENT_SCOPE)
endfunction()

# If the list has `numbers: at-landing`, makes the targets in ARGN depend on the include file of pending revisions and
# sets `out_include` to that file; otherwise sets it to "". One target per list writes the file at each build, because
# CMake does not notice when pending files are added or removed. The file is a byproduct of that target, so ninja checks
# it again before it compiles. If revctl is already built, the file is also written now.
function(revctl_sync_list list_file policy out_include)
  set(${out_include} "" PARENT_SCOPE)
  if(NOT policy)
    return()
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${policy}")
  file(STRINGS "${policy}" at_landing REGEX "numbers:[ \"']*at-landing")
  if(NOT at_landing)
    return()
  endif()
  get_filename_component(stem "${list_file}" NAME_WLE)
  get_filename_component(beside "${list_file}" DIRECTORY)
  set(include "${beside}/${stem}.pending.inc")
  string(MD5 id "${list_file}")
  string(SUBSTRING "${id}" 0 8 id)
  set(sync "revctl_sync_${stem}_${id}")
  if(NOT TARGET ${sync})
    get_target_property(imported revctl::tool IMPORTED)
    if(imported)
      get_target_property(program revctl::tool LOCATION)
      execute_process(COMMAND "${program}" sync --quiet --file "${list_file}" RESULT_VARIABLE failed ERROR_VARIABLE why)
      if(failed)
        message(WARNING "revctl sync --file ${list_file} failed:\n${why}")
      endif()
    endif()
    add_custom_target(${sync}
      COMMAND revctl::tool sync --quiet --file "${list_file}"
      BYPRODUCTS "${include}"
      COMMENT "Pending revisions of ${stem}"
      VERBATIM)
  endif()
  foreach(user IN LISTS ARGN)
    if(NOT TARGET ${user})
      continue()
    endif()
    get_target_property(imported ${user} IMPORTED)
    get_target_property(aliased ${user} ALIASED_TARGET)
    if(aliased)
      set(user ${aliased})
    endif()
    if(NOT imported)
      add_dependencies(${user} ${sync})
    endif()
  endforeach()
  set(${out_include} "${include}" PARENT_SCOPE)
endfunction()

# Adds a command that writes the header for `list` with `revctl codegen`, into a separate folder for each `target`. ARGN
# are other targets that compile the list.
function(revctl_generate_table target list out_folder out_header)
  get_filename_component(list_file "${list}" ABSOLUTE)
  get_filename_component(stem "${list_file}" NAME_WLE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.revctl")
  set(header "${folder}/${stem}.revctl.h")
  file(MAKE_DIRECTORY "${folder}")
  # The header depends on .revctl.yaml, because that file decides which enumerators are revisions.
  revctl_find_policy("${list_file}" policy)
  if(policy)
    revctl_say_where_not_installed("${policy}")
  endif()
  revctl_sync_list("${list_file}" "${policy}" include ${target} ${ARGN})
  add_custom_command(OUTPUT "${header}"
    COMMAND revctl::tool codegen --file "${list_file}" --include "${list_file}" --output "${header}"
    DEPENDS "${list_file}" ${policy} ${include} revctl::tool
    COMMENT "Table of ${stem} for ${target}"
    VERBATIM)
  set(${out_folder} "${folder}" PARENT_SCOPE)
  set(${out_header} "${header}" PARENT_SCOPE)
endfunction()

function(revctl_add_list target)
  cmake_parse_arguments(ARG "" "LIST" "" ${ARGN})
  if(NOT ARG_LIST OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "revctl_add_list(TARGET LIST path/to/list.h)")
  endif()
  revctl_generate_table("${target}" "${ARG_LIST}" folder header)
  target_sources(${target} PRIVATE "${header}")
  target_include_directories(${target} PRIVATE "${folder}")
  target_link_libraries(${target} PRIVATE revctl::revctl)
endfunction()

function(revctl_add_types target)
  cmake_parse_arguments(ARG "" "TYPES;HEADER;LIST" "" ${ARGN})
  if(NOT ARG_TYPES OR NOT ARG_HEADER OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "revctl_add_types(TARGET TYPES path/to/types.yaml HEADER types.h [LIST path/to/list.h])")
  endif()
  set(list "")
  set(against "")
  if(ARG_LIST)
    get_filename_component(list "${ARG_LIST}" ABSOLUTE)
    set(against --file "${list}")
  endif()
  get_filename_component(types "${ARG_TYPES}" ABSOLUTE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${target}.revctl")
  set(header "${folder}/${ARG_HEADER}")
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(OUTPUT "${header}"
    COMMAND revctl::tool generate "${types}" ${against} --output "${header}"
    DEPENDS "${types}" ${list} revctl::tool
    COMMENT "${ARG_HEADER} for ${target}"
    VERBATIM)
  target_sources(${target} PRIVATE "${header}")
  # The paths in a definition file are relative to its folder, so add that folder to the include path.
  get_filename_component(beside "${types}" DIRECTORY)
  target_include_directories(${target} PRIVATE "${folder}" "${beside}")
endfunction()

function(revctl_add_harness name)
  cmake_parse_arguments(ARG "TESTS" "LIST;GOLDEN" "SOURCES;LIBRARIES" ${ARGN})
  if(NOT ARG_LIST OR NOT ARG_GOLDEN OR NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "revctl_add_harness(NAME LIST path/to/list.h GOLDEN folder SOURCES file.cpp... [LIBRARIES target...] [TESTS])")
  endif()
  revctl_generate_table("${name}" "${ARG_LIST}" folder header ${ARG_LIBRARIES})
  get_filename_component(golden "${ARG_GOLDEN}" ABSOLUTE)
  get_filename_component(table "${header}" NAME)
  set(settings "${folder}/settings.cpp")
  # Use raw strings, because folders may have any name.
  file(CONFIGURE OUTPUT "${settings}" CONTENT [=[
// Written by revctl_add_harness().
#include <revctl/harness_settings.h>

#include "@table@"

[[maybe_unused]] static const bool revctl_harness_settings = ::revctl::harness::Register(::revctl::harness::Settings{
    R"revctl(@golden@)revctl", R"revctl(@CMAKE_CURRENT_SOURCE_DIR@)revctl", R"revctl(@CMAKE_BINARY_DIR@)revctl"});
]=] @ONLY)
  add_executable(${name} ${ARG_SOURCES} "${settings}" "${header}")
  get_filename_component(list_file "${ARG_LIST}" ABSOLUTE)
  revctl_find_policy("${list_file}" policy)
  revctl_sync_list("${list_file}" "${policy}" include ${name})
  target_include_directories(${name} PRIVATE "${folder}")
  target_link_libraries(${name} PRIVATE ${ARG_LIBRARIES} revctl::harness revctl::revctl)
  if(ARG_TESTS)
    revctl_discover_tests("${name}" "${folder}")
  endif()
endfunction()

# Lets ctest read the tests of `name` from a file that each build of the program writes.
function(revctl_discover_tests name folder)
  set(tests "${folder}/tests.cmake")
  set(include "${folder}/include_tests.cmake")
  add_custom_command(TARGET ${name} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=$<TARGET_FILE:${name}>" "-DNAME=${name}" "-DOUTPUT=${tests}" "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}"
      -P "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/revctl_discover_tests.cmake"
    BYPRODUCTS "${tests}"
    VERBATIM)
  file(WRITE "${include}" "if(EXISTS [==[${tests}]==])\n  include([==[${tests}]==])\nelse()\n"
    "  add_test(${name}_NOT_BUILT ${name}_NOT_BUILT)\nendif()\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${include}")
endfunction()
