# Writes the commit of SOURCE into the header OUTPUT, unless the header already contains it: `cmake -DSOURCE= -DCOMMIT=
# -DOUTPUT= -P`. Appends `-dirty` if the tree has uncommitted changes. Writes an empty commit if neither git nor COMMIT
# names one.
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
