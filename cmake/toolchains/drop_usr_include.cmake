# Makes CMake believe that the compiler searches /usr/include anyway, so that CMake adds no option for it.
# debian_cross.cmake has put links to the needed libraries elsewhere.
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
