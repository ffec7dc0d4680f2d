# Makes CMake assume that the compiler already searches /usr/include, so that CMake adds no option for it.
# debian_cross.cmake has linked the required headers elsewhere.
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
