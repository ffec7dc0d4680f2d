# CMake adds no option for folders that the compiler searches anyway; debian_cross.cmake has put links to the libraries elsewhere.
list(APPEND CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES /usr/include)
