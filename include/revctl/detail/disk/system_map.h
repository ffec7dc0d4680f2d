#pragma once

// Selects memory-mapping for the system that the program is compiled for.
#ifdef _WIN32
#include <revctl/detail/disk/windows_map.h>
#else
#include <revctl/detail/disk/posix_map.h>
#endif
