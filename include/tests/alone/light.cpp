// <revctl/serialize.h> is light: files are <revctl/save_file.h>. It brings <unistd.h> only where
// the standard library does.
#include <revctl/serialize.h>

#if defined(_FCNTL_H) || defined(_SYS_STAT_H) || defined(_GLIBCXX_CHRONO)
#error "<revctl/serialize.h> brings <fcntl.h>, <sys/stat.h> or <chrono>"
#endif

namespace revctl {
// Another type where <revctl/save_file.h> came along: a compiler refuses the second one.
enum class FileBytes {};
}  // namespace revctl
