# Settings for `cpack -G DEB`, which makes three packages, for the program, the library and the pages. Used by
# `ci/package --deb`.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/revctl-doc" COMPONENT doc EXCLUDE_FROM_ALL
  FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN examples EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/examples" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/revctl-doc" COMPONENT doc EXCLUDE_FROM_ALL
  PATTERN mutants EXCLUDE PATTERN history EXCLUDE PATTERN ".git*" EXCLUDE)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME revctl)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_PACKAGE_CONTACT "The revctl authors <root@localhost>")  # ci/package sets the real one
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tool dev doc)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME revctl)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOL_PACKAGE_DEPENDS git)
set(CPACK_DEBIAN_TOOL_DESCRIPTION "one revision number for all save files, without collisions
 Teams that serialize with one function per type and one revision number
 reserve the next number with revctl. It merges the list of revisions, and
 refuses what would break old files before it lands.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME librevctl-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "revctl (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "catch2, cmake, pkg-config")
set(CPACK_DEBIAN_DEV_DESCRIPTION "versioned serialization in one function per type (headers)
 The header-only library, the library of the save harness, which keeps
 golden files of every revision, and the files for CMake and pkg-config.")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME revctl-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_DESCRIPTION "tutorial, guides, formats and examples of revctl
 The pages of revctl as Markdown, and small programs that use it.")
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/debian_files.cmake")
include(CPack)
