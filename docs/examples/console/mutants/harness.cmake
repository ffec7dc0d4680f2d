# Builds a mutant of this example (ci/mutants) with the engine and the adapter of the original.
function(mutant_harness name folder)
  revctl_add_harness(${name} LIST ${folder}/src/save_version.h GOLDEN ${folder}/golden SOURCES ${folder}/src/save_types.cpp)
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/src" "${original}" "${original}/engine")
endfunction()
