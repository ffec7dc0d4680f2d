# Defines the target revctl::harness of the installed package. The package contains a library compiled with g++ and
# libstdc++. Programs with another standard library, or another ABI of libstdc++, build it from the sources in the
# release archive.
#
#   REVCTL_HARNESS_FROM_SOURCE   ON or OFF. If it is not set, a test compilation decides.
if(TARGET revctl::harness)
  return()
endif()
get_filename_component(revctl_library "${CMAKE_CURRENT_LIST_DIR}/../../librevctl_harness.a" ABSOLUTE)
# Every harness for Windows links this manifest; see revctl/base/CMakeLists.txt.
set(revctl_system_parts "")
if(WIN32)
  get_filename_component(revctl_system_parts "${CMAKE_CURRENT_LIST_DIR}/../../revctl_manifest.obj" ABSOLUTE)
endif()
if(MINGW)
  list(APPEND revctl_system_parts -Wl,--wrap=mbrtowc,--undefined=__wrap_mbrtowc)
endif()
set(revctl_sources "${revctl_prefix}/share/revctl/sources")
if(NOT DEFINED REVCTL_HARNESS_FROM_SOURCE)
  include(CheckCXXSourceCompiles)
  check_cxx_source_compiles("#include <string>
#if !defined __GLIBCXX__ || !_GLIBCXX_USE_CXX11_ABI || defined _GLIBCXX_DEBUG
#error another ABI
#endif
int main() {}" REVCTL_COMPILED_HARNESS_FITS)
  if(REVCTL_COMPILED_HARNESS_FITS OR NOT EXISTS "${revctl_sources}")
    set(revctl_from_source OFF)
  else()
    set(revctl_from_source ON)
    message(STATUS "revctl: the harness is built from source, because the program uses another standard library")
  endif()
else()
  set(revctl_from_source "${REVCTL_HARNESS_FROM_SOURCE}")
endif()
if(NOT revctl_from_source)
  add_library(revctl::harness STATIC IMPORTED GLOBAL)
  set_target_properties(revctl::harness PROPERTIES IMPORTED_LOCATION "${revctl_library}")
  target_link_libraries(revctl::harness INTERFACE revctl::revctl ${revctl_system_parts})
else()
  if(NOT EXISTS "${revctl_sources}")
    message(FATAL_ERROR "revctl: ${revctl_sources} is missing; only release archives contain the sources of the harness")
  endif()
  file(GLOB_RECURSE revctl_files "${revctl_sources}/*.cpp")
  # Files that call the operating system have two versions.
  if(WIN32)
    list(FILTER revctl_files EXCLUDE REGEX "_posix\\.cpp$")
  else()
    list(FILTER revctl_files EXCLUDE REGEX "_windows\\.cpp$")
  endif()
  add_library(revctl_harness STATIC EXCLUDE_FROM_ALL ${revctl_files})
  # Compile the files of each folder together, which takes a third of the time. Two files are exceptions.
  set_target_properties(revctl_harness PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP CXX_EXTENSIONS OFF)
  foreach(file IN LISTS revctl_files)
    if(NOT file MATCHES "/revctl/base/format.cpp$|/harness/commands/test.cpp$")
      get_filename_component(folder "${file}" DIRECTORY)
      file(RELATIVE_PATH folder "${revctl_sources}" "${folder}")
      set_property(SOURCE "${file}" PROPERTY UNITY_GROUP "${folder}")
    endif()
  endforeach()
  target_include_directories(revctl_harness PRIVATE "${revctl_sources}")
  target_include_directories(revctl_harness SYSTEM PRIVATE "${revctl_sources}/third_party")
  target_compile_definitions(revctl_harness PRIVATE "REVCTL_VERSION=\"${revctl_VERSION}\"")
  target_link_libraries(revctl_harness PUBLIC revctl::revctl INTERFACE ${revctl_system_parts})
  if(TARGET Catch2::Catch2)  # version 3, if the program uses it; version 2 is among the sources
    target_link_libraries(revctl_harness PUBLIC Catch2::Catch2)
  endif()
  add_library(revctl::harness ALIAS revctl_harness)
endif()
