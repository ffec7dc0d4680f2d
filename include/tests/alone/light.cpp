// Checks that <revctl/serialize.h> does not include <revctl/save_file.h>, and does not include
// <unistd.h> unless the standard library does.
#include <revctl/serialize.h>

#if defined(_FCNTL_H) || defined(_SYS_STAT_H) || defined(_GLIBCXX_CHRONO)
#error "<revctl/serialize.h> includes <fcntl.h>, <sys/stat.h> or <chrono>"
#endif

namespace revctl {
// Declare FileBytes as a different type, so that this file does not compile if <revctl/save_file.h>
// is included.
enum class FileBytes {};
}  // namespace revctl
