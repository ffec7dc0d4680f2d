# Finds the libraries that the tools link: revctl_libgit2, revctl_yaml, and the folder of xxHash's header.

option(REVCTL_STATIC "Link the program revctl statically; it then holds neither TLS nor ssh" OFF)

set(shared_suffixes "${CMAKE_FIND_LIBRARY_SUFFIXES}")
if(REVCTL_STATIC)
  set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
endif()

# Caches static and shared libraries under different names, so that REVCTL_STATIC can be changed in a build folder.
function(revctl_find_library name out)
  find_library(REVCTL_${name}_${REVCTL_STATIC} ${name} REQUIRED)
  mark_as_advanced(REVCTL_${name}_${REVCTL_STATIC})
  set(${out} "${REVCTL_${name}_${REVCTL_STATIC}}" PARENT_SCOPE)
endfunction()

if(REVCTL_TOOL)
  # A cross build without REVCTL_LIBRARIES links none of these libraries: some are header-only, and only the program,
  # which is not built, needs the others.
  set(REVCTL_XXHASH_INCLUDE "")
  if(NOT REVCTL_LIBRARIES)
    return()
  endif()
  # REVCTL_LIBRARIES is the output folder of ci/windows-libraries or ci/aarch64-libraries.
  add_library(revctl_libgit2 INTERFACE)
  add_library(revctl_yaml INTERFACE)
  set(lib "${REVCTL_LIBRARIES}/lib")
  target_include_directories(revctl_libgit2 SYSTEM INTERFACE "${REVCTL_LIBRARIES}/include")
  target_include_directories(revctl_yaml SYSTEM INTERFACE "${REVCTL_LIBRARIES}/include")
  target_link_libraries(revctl_yaml INTERFACE "${lib}/libyaml-cpp.a")
  if(WIN32)
    target_link_libraries(revctl_libgit2 INTERFACE "${lib}/libgit2.a" "${lib}/libhttp_parser.a" "${lib}/libpcre2-8.a" z ws2_32)
    target_compile_definitions(revctl_yaml INTERFACE YAML_CPP_STATIC_DEFINE)
  elseif(REVCTL_STATIC)
    target_link_libraries(revctl_libgit2 INTERFACE
      "${lib}/libgit2.a" revctl_no_network "${lib}/libhttp_parser.a" "${lib}/libmbedcrypto.a" "${lib}/libpcre2-8.a" "${lib}/libz.a")
  else()
    message(FATAL_ERROR "Cross-compiling revctl for Linux requires static linking: add -DREVCTL_STATIC=ON")
  endif()
  return()
endif()
find_path(REVCTL_XXHASH_INCLUDE xxhash.h REQUIRED)  # used as a header-only library

add_library(revctl_libgit2 INTERFACE)
add_library(revctl_yaml INTERFACE)
if(REVCTL_STATIC)
  # The libraries that Debian's static libgit2 needs. ssh, TLS and Kerberos are missing, because revctl/git/no_*.cpp
  # define their functions.
  revctl_find_library(git2 library)
  target_link_libraries(revctl_libgit2 INTERFACE "${library}" revctl_no_network)
  foreach(name http_parser mbedcrypto pcre2-8 z)
    revctl_find_library(${name} library)
    target_link_libraries(revctl_libgit2 INTERFACE "${library}")
  endforeach()
  revctl_find_library(yaml-cpp library)
  target_link_libraries(revctl_yaml INTERFACE "${library}")
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(LIBGIT2 REQUIRED IMPORTED_TARGET libgit2)
  target_link_libraries(revctl_libgit2 INTERFACE PkgConfig::LIBGIT2)
  find_package(yaml-cpp REQUIRED)
  target_link_libraries(revctl_yaml INTERFACE yaml-cpp)
endif()
set(CMAKE_FIND_LIBRARY_SUFFIXES "${shared_suffixes}")
