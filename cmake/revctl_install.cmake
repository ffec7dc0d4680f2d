# Installs the package for find_package(revctl): revctl::revctl (headers), revctl::harness (library with main()),
# revctl::tool (the program), and the functions of revctl_add_harness.cmake. The package contains only files of this
# tree, without absolute paths, so it can be moved.
include(CMakePackageConfigHelpers)

set(REVCTL_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/revctl")

# Installed files are divided into three components: the program (tool), the files that builds need (dev), and the pages
# (doc).
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/revctl" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")

set(shell_files "${PROJECT_BINARY_DIR}/shell")
file(MAKE_DIRECTORY "${shell_files}")
if(REVCTL_BUILD_TOOLS)
  # Joins everything that a harness links into one library file.
  set(joined "${PROJECT_BINARY_DIR}/joined/librevctl_harness.a")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/joined")
  set(parts revctl_harness revctl_harness_core revctl_golden revctl_cli revctl_findings revctl_base)
  set(files "")
  foreach(part IN LISTS parts)
    list(APPEND files "$<TARGET_FILE:${part}>")
  endforeach()
  add_custom_command(OUTPUT "${joined}"
    COMMAND "${PROJECT_SOURCE_DIR}/cmake/join_libraries" "${CMAKE_AR}" "${CMAKE_NM}" "${CMAKE_OBJCOPY}" "${joined}" ${files}
    DEPENDS "${PROJECT_SOURCE_DIR}/cmake/join_libraries" ${parts} VERBATIM)
  add_custom_target(revctl_joined ALL DEPENDS "${joined}")
  install(FILES "${joined}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  if(WIN32)
    # The manifest that every program with a harness links; see revctl/base/CMakeLists.txt.
    install(FILES $<TARGET_OBJECTS:revctl_manifest> DESTINATION "${CMAKE_INSTALL_LIBDIR}" RENAME revctl_manifest.obj)
  endif()
  add_custom_command(OUTPUT "${shell_files}/revctl-harness.1"
    COMMAND sh -ec "\"$@\" man >revctl-harness.1" sh ${CMAKE_CROSSCOMPILING_EMULATOR} "$<TARGET_FILE:revctl_harness_page>"
    DEPENDS revctl_harness_page WORKING_DIRECTORY "${shell_files}" VERBATIM)
  add_custom_target(revctl_harness_man ALL DEPENDS "${shell_files}/revctl-harness.1")
  install(FILES "${shell_files}/revctl-harness.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
endif()
if(REVCTL_BUILD_TOOLS)
  if(TARGET revctl)
    install(TARGETS revctl RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tool)
    # The program prints its completions and man page, so they always match it. In a cross build, it runs in an
    # emulator.
    add_custom_command(OUTPUT "${shell_files}/revctl.1"
      COMMAND sh -ec "\"$@\" completions bash >revctl; \"$@\" completions zsh >_revctl; \"$@\" completions fish >revctl.fish; \"$@\" completions schema >revctl.schema.json; \"$@\" completions definition-schema >definition.schema.json; \"$@\" completions man >revctl.1"
              sh ${CMAKE_CROSSCOMPILING_EMULATOR} "$<TARGET_FILE:revctl>"
      DEPENDS revctl WORKING_DIRECTORY "${shell_files}" VERBATIM)
    add_custom_target(revctl_shell_files ALL DEPENDS "${shell_files}/revctl.1")
    install(FILES "${shell_files}/revctl" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tool)
    install(FILES "${shell_files}/_revctl" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT tool)
    install(FILES "${shell_files}/revctl.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT tool)
    install(FILES "${shell_files}/revctl.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tool)
    install(FILES "${shell_files}/revctl.schema.json" "${shell_files}/definition.schema.json"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/revctl/schemas" COMPONENT tool)
    install(PROGRAMS "${PROJECT_SOURCE_DIR}/cmake/pre-receive" DESTINATION "${CMAKE_INSTALL_DATADIR}/revctl/hooks" COMPONENT tool)
  endif()
endif()

# Files for builds without CMake: `pkg-config --cflags revctl`, and `revctl-harness` to link a harness.
file(RELATIVE_PATH up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/revctl.pc" CONTENT [=[
prefix=${pcfiledir}/@up@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@

Name: revctl
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}
]=] @ONLY)
set(harness_options "")
if(MINGW)
  set(harness_options " \${pcfiledir}/../revctl_manifest.obj -Wl,--wrap=mbrtowc,--undefined=__wrap_mbrtowc")
endif()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/revctl-harness.pc" CONTENT [=[
Name: revctl-harness
Description: What a save harness links, main() included
Version: @PROJECT_VERSION@
Requires: revctl
Libs: -L${pcfiledir}/.. -lrevctl_harness@harness_options@
]=] @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/revctl.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(REVCTL_BUILD_TOOLS)
  install(FILES "${PROJECT_BINARY_DIR}/revctl-harness.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()

file(RELATIVE_PATH prefix "/${REVCTL_PACKAGE_DIR}" /)
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/revctlConfig.cmake" @ONLY CONTENT [=[
# find_package(revctl): see revctl_add_harness.cmake in this folder. All paths are relative to this file, so the package
# can be moved. The targets are global, so add_subdirectory() and FetchContent can include this file, too.
get_filename_component(revctl_prefix "${CMAKE_CURRENT_LIST_DIR}/@prefix@" ABSOLUTE)
set(revctl_VERSION "@PROJECT_VERSION@")
if(NOT TARGET revctl::revctl)
  add_library(revctl::revctl INTERFACE IMPORTED GLOBAL)
  target_include_directories(revctl::revctl INTERFACE "${revctl_prefix}/@CMAKE_INSTALL_INCLUDEDIR@")
  target_compile_features(revctl::revctl INTERFACE cxx_std_20)
endif()
if("@REVCTL_BUILD_TOOLS@" AND NOT TARGET revctl::tool)
  add_executable(revctl::tool IMPORTED GLOBAL)
  # A cross build can set REVCTL_TOOL to a native revctl.
  if(REVCTL_TOOL)
    set_target_properties(revctl::tool PROPERTIES IMPORTED_LOCATION "${REVCTL_TOOL}")
  else()
    set_target_properties(revctl::tool PROPERTIES IMPORTED_LOCATION "${revctl_prefix}/@CMAKE_INSTALL_BINDIR@/revctl@CMAKE_EXECUTABLE_SUFFIX@")
  endif()
  if("@Catch2_VERSION@" VERSION_GREATER_EQUAL 3)
    include(CMakeFindDependencyMacro)
    find_dependency(Catch2)
  endif()
  include("${CMAKE_CURRENT_LIST_DIR}/revctl_harness_library.cmake")
  include("${CMAKE_CURRENT_LIST_DIR}/revctl_add_harness.cmake")
endif()
]=])
write_basic_package_version_file("${PROJECT_BINARY_DIR}/revctlConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/revctlConfig.cmake" "${PROJECT_BINARY_DIR}/revctlConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/revctl_add_harness.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/revctl_harness_library.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/revctl_discover_tests.cmake"
        DESTINATION "${REVCTL_PACKAGE_DIR}")

if(REVCTL_TOP_LEVEL)
  include(revctl_debian)
endif()
