# Adds the files that Debian's policy requires. cpack runs this script on the staged files of each package.
set(root "${CMAKE_CURRENT_LIST_DIR}/..")

function(run output)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY "${root}" OUTPUT_VARIABLE said RESULT_VARIABLE status OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed: ${status}")
  endif()
  set(${output} "${said}" PARENT_SCOPE)
endfunction()

run(date git log -1 "--format=%aD")
file(READ "${root}/LICENSE" license)
string(REGEX REPLACE "^[^\n]*\n\n(Copyright [^\n]*)\n\n" "" license "${license}")
set(owner "${CMAKE_MATCH_1}")
string(STRIP "${license}" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license "${license}")

foreach(pair tool:revctl dev:librevctl-dev doc:revctl-doc)
  string(REGEX MATCH "^(.*):(.*)$" pair "${pair}")
  set(package "${CMAKE_MATCH_2}")
  set(stage "${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${CMAKE_MATCH_1}/usr")
  set(doc "${stage}/share/doc/${package}")
  file(WRITE "${doc}/copyright" "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: revctl

Files: *
Copyright: ${owner}
License: Expat
 ${license}
")
  file(WRITE "${doc}/changelog.Debian" "revctl (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Built by ci/package; changelog.gz says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  # The package is not uploaded to Debian, so its changelog closes no bug. Silence lintian's warning about that.
  file(WRITE "${stage}/share/lintian/overrides/${package}" "${package}: initial-upload-closes-no-bugs\n")
  file(COPY_FILE "${root}/CHANGELOG.md" "${doc}/changelog")
  file(GLOB pages "${stage}/share/man/man1/*.1")
  run(none gzip -9nf "${doc}/changelog.Debian" "${doc}/changelog" ${pages})
endforeach()
