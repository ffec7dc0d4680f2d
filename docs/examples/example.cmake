# Adds the tests that only the examples of this tree have: the code of each old revision must reproduce the committed
# goldens and saves, and the bytes that a page shows must match a real file.

# Creates the sources of each revision in the folder history/ of the build folder.
function(example_history)
  find_package(Git REQUIRED)
  set(here "${CMAKE_CURRENT_SOURCE_DIR}/history")
  set(made "${CMAKE_CURRENT_BINARY_DIR}/history")
  if(EXISTS "${here}/.revctl.yaml")
    file(COPY "${here}/.revctl.yaml" DESTINATION "${made}")
  endif()
  file(REMOVE_RECURSE "${made}/next")
  foreach(revision ${ARGN})
    if(EXISTS "${here}/${revision}.patch")
      # Keep git from finding this repository, so that it applies the patch to the new files, not to files of the
      # repository.
      execute_process(COMMAND "${CMAKE_COMMAND}" -E env "GIT_CEILING_DIRECTORIES=${made}"
        "${GIT_EXECUTABLE}" apply -p2 --whitespace=nowarn "${here}/${revision}.patch"
        WORKING_DIRECTORY "${made}/next" COMMAND_ERROR_IS_FATAL ANY)
    else()
      file(COPY "${here}/${revision}/" DESTINATION "${made}/next")
    endif()
    file(GLOB given "${here}/${revision}.patch" "${here}/${revision}/*")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${given})
    file(MAKE_DIRECTORY "${made}/${revision}")
    file(GLOB names RELATIVE "${made}/next" "${made}/next/*")
    foreach(name ${names})
      file(COPY_FILE "${made}/next/${name}" "${made}/${revision}/${name}" ONLY_IF_DIFFERENT)
    endforeach()
  endforeach()
  file(REMOVE_RECURSE "${made}/next")
endfunction()

# revctl_example(NAME [LIST version_list.h] HISTORY r1 r2 ... [TEST file.cpp...] [BYTES saves/x.save] [LIBRARIES target...])
#
#   LIST        name of the list, in src/ and in each revision; master_version_list.h by default
#   HISTORY     revisions, oldest first. The folder history/r1 holds the list and the types (or types.yaml) of the first one;
#               history/r2.patch has the changes of the next one. history/save_types.cpp (HARNESS_TYPEs, and WRITES_SAVE for the
#               file in saves/) is compiled with each revision and with today's src/; a revision may have its own.
#   TEST        Catch2 sources of this example
#   BYTES       the save that README.md explains byte by byte
function(revctl_example name)
  cmake_parse_arguments(ARG "" "LIST;BYTES" "HISTORY;TEST;LIBRARIES" ${ARGN})
  if(NOT ARG_LIST)
    set(ARG_LIST master_version_list.h)
  endif()
  set(here "${CMAKE_CURRENT_SOURCE_DIR}")
  set(examples "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")

  example_history(${ARG_HISTORY})
  set(programs "")
  set(targets ${name}_harness)
  foreach(revision ${ARG_HISTORY} today)
    set(sources "${CMAKE_CURRENT_BINARY_DIR}/history/${revision}")
    if(revision STREQUAL today)
      set(sources "${here}/src")
    endif()
    set(types "${sources}/save_types.cpp")
    if(revision STREQUAL today OR NOT EXISTS "${types}")
      set(types "${here}/history/save_types.cpp")
    endif()
    set(program ${name}_${revision}_harness)
    revctl_add_harness(${program} LIST "${sources}/${ARG_LIST}" GOLDEN golden SOURCES "${types}"
      LIBRARIES ${ARG_LIBRARIES})
    # ${name}_harness is compiled like an adopter's harness, but these programs with old code are compiled like tests.
    revctl_use_test_compiler(${program})
    revctl_share_harness_headers(${program})
    target_include_directories(${program} PRIVATE "${sources}" "${examples}")
    if(EXISTS "${sources}/types.yaml")
      revctl_add_types(${program} TYPES "${sources}/types.yaml" HEADER types.h LIST "${sources}/${ARG_LIST}")
    endif()
    # Do not optimize, because only the compile time matters: each program runs once, on little data.
    target_compile_options(${program} PRIVATE -O0 -g0)
    set_target_properties(${program} PROPERTIES UNITY_BUILD ON)
    list(APPEND targets ${program})
    list(APPEND programs "${revision}" "$<TARGET_FILE:${program}>")
  endforeach()
  # Each run tests a few seeds. Under --full, 100 other seeds are tested.
  add_test(NAME ${name}_hostile_saves COMMAND "${examples}/hostile_saves" "${here}" "$<TARGET_FILE:${name}_harness>" "$<TARGET_FILE:revctl>")
  add_test(NAME ${name}_hostile_saves_all
    COMMAND "${examples}/hostile_saves" --seeds 100 --first 1001 "${here}" "$<TARGET_FILE:${name}_harness>" "$<TARGET_FILE:revctl>")
  set_tests_properties(${name}_hostile_saves_all PROPERTIES LABELS full TIMEOUT 3600)
  add_test(NAME ${name}_history_writes_the_same COMMAND "${examples}/again" compare "${here}" ${programs})
  # Adds a target that regenerates golden/ and saves/, for developers who have changed the history on purpose.
  add_custom_target(${name}_anew COMMAND "${examples}/again" anew "${here}" ${programs} VERBATIM)
  if(ARG_BYTES)
    add_test(NAME ${name}_page_has_the_bytes COMMAND "${examples}/bytes" check "${here}/README.md"
      "$<TARGET_FILE:${name}_harness>" "${here}/${ARG_BYTES}")
  endif()

  if(ARG_TEST)
    add_executable(${name}_test ${ARG_TEST})
    revctl_use_test_compiler(${name}_test)
    revctl_add_list(${name}_test LIST "src/${ARG_LIST}")
    target_include_directories(${name}_test PRIVATE "${examples}" src)
    if(EXISTS "${here}/src/types.yaml")
      revctl_add_types(${name}_test TYPES src/types.yaml HEADER types.h LIST "src/${ARG_LIST}")
    endif()
    target_link_libraries(${name}_test PRIVATE revctl_catch_main ${ARG_LIBRARIES})
    target_compile_definitions(${name}_test PRIVATE "EXAMPLE_FOLDER=\"${here}\""
      "EXAMPLE_PROGRAMS=\"${CMAKE_CURRENT_BINARY_DIR}\"")
    add_dependencies(${name}_test ${targets})
    add_test(NAME ${name}_test COMMAND ${name}_test)
    list(APPEND targets ${name}_test)
  endif()
  add_custom_target(example_${name} DEPENDS ${targets})
endfunction()
