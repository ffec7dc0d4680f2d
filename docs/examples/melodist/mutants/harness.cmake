# Builds a mutant of this example (ci/mutants) with code generated from its definition.
function(mutant_harness name folder)
  revctl_add_harness(${name} LIST ${folder}/src/master_version_list.h GOLDEN ${folder}/golden SOURCES ${folder}/src/save_types.cpp)
  revctl_add_types(${name} TYPES ${folder}/src/types.yaml HEADER types.h)
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/src")
endfunction()
