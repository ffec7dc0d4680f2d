#include "harness/trace/crash_breadcrumb.h"

#include <unistd.h>

#include "harness/trace/source_place.h"

namespace revctl::harness {

void CrashBreadcrumb::Tell(std::string& name, SourcePlace& place) const {
  if (!known()) return;
  name = Text(field);
  if (const std::string source = Text(file); !source.empty()) place = {source, line};
}

std::string CrashBreadcrumb::Text(const char* at) {
  constexpr std::size_t kLongest = 4096;
  std::string text;
  int ends[2];
  if (at == nullptr || ::pipe(ends) != 0) return text;
  // The kernel looks for us: of an unmapped address it says EFAULT. A byte at a time, since
  // the text may end where its page does.
  char c = 1;
  while (c != 0 && text.size() <= kLongest) {
    if (::write(ends[1], at + text.size(), 1) != 1 || ::read(ends[0], &c, 1) != 1) break;
    text += c;
  }
  ::close(ends[0]);
  ::close(ends[1]);
  if (c != 0 || text.empty()) return {};
  text.pop_back();
  return text;
}

}  // namespace revctl::harness
