// Includes all public headers and instantiates most of the library, for ci/check-strict. The
// headers come first, so that the program's macros cannot change their meaning.
#define REVCTL_NO_SHORT_MACROS
#include "every_public_header.inc"

#include "bare_consumer.cpp"
