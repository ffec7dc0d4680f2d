#pragma once

// Selects file access for the system that the program is compiled for.
#ifdef _WIN32
#include <revctl/detail/disk/windows.h>
#else
#include <revctl/detail/disk/posix.h>
#endif
