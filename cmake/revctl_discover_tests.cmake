# Writes a ctest file with one test for each Catch2 test case of a harness. revctl_add_harness(... TESTS) runs it after each
# build.
#
#   cmake -DPROGRAM=path/to/harness -DNAME=prefix -DOUTPUT=tests.cmake [-DEMULATOR=words] -P revctl_discover_tests.cmake
#
# EMULATOR: the command, as a CMake list, that runs a harness for another machine.
execute_process(COMMAND ${EMULATOR} "${PROGRAM}" test --list-test-names-only
  OUTPUT_VARIABLE names RESULT_VARIABLE status ERROR_VARIABLE said)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} test --list-test-names-only: ${status}\n${said}")
endif()
string(REPLACE ";" "\\;" names "${names}")
string(REPLACE "\n" ";" names "${names}")
set(tests "")
set(command "")
foreach(word IN LISTS EMULATOR PROGRAM)
  string(APPEND command " [==[${word}]==]")
endforeach()
foreach(name IN LISTS names)
  if(name STREQUAL "")
    continue()
  endif()
  # Escape characters that are special in Catch2's test specs.
  string(REPLACE "\\" "\\\\" spec "${name}")
  foreach(special "," "[" "]" "*")
    string(REPLACE "${special}" "\\${special}" spec "${spec}")
  endforeach()
  string(APPEND tests "add_test([==[${NAME}: ${name}]==]${command} test [==[${spec}]==])\n")
endforeach()
file(WRITE "${OUTPUT}" "${tests}")
