# Writes OUTPUT, a header with the commit of SOURCE, where it is another than before: `cmake -DSOURCE= -DCOMMIT= -DOUTPUT= -P`.
# `-dirty`: files of the tree have changed since that commit. Nothing where neither git nor COMMIT says one.
if(NOT COMMIT AND EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=10 "--exclude=*"
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT MATCHES "^[0-9a-f]+(-dirty)?$")
  set(COMMIT "")
endif()
set(text "#pragma once\n/// The commit that this program was built from; empty: not known.\ninline constexpr const char* kBuiltFrom = \"${COMMIT}\";\n")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT before STREQUAL text)
  file(WRITE "${OUTPUT}" "${text}")
endif()
