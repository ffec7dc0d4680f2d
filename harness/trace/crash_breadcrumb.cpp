#include "harness/trace/crash_breadcrumb.h"

#include "harness/trace/source_place.h"
#include "revctl/base/process.h"

namespace revctl::harness {

void CrashBreadcrumb::Tell(std::string& name, SourcePlace& place) const {
  if (!known()) return;
  name = Text(field);
  if (const std::string source = Text(file); !source.empty()) place = {source, line};
}

std::string CrashBreadcrumb::Text(const char* at) {
  constexpr std::size_t kLongest = 4096;
  return base::TextAt(at, kLongest);
}

}  // namespace revctl::harness
