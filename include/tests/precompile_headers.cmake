# Writes OUTPUT/HEADER.gch for each of HEADERS, which lie in INCLUDE: what g++ then reads instead of the header.
foreach(header IN LISTS HEADERS)
  get_filename_component(folder "${OUTPUT}/${header}" DIRECTORY)
  file(MAKE_DIRECTORY "${folder}")
  execute_process(COMMAND "${COMPILER}" -std=c++20 "-I${INCLUDE}" -x c++-header "${INCLUDE}/${header}"
                          -o "${OUTPUT}/${header}.gch"
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${header}:\n${output}")
  endif()
endforeach()
