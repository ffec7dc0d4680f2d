# How a mutant of this example is built (ci/mutants): with the program's engine and the adapter, from the original.
function(mutant_harness name folder)
  revctl_add_harness(${name} LIST ${folder}/src/state_version.h GOLDEN ${folder}/golden SOURCES ${folder}/src/save_types.cpp)
  target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/src" "${original}" "${original}/engine")
endfunction()
