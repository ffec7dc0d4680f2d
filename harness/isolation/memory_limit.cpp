#include "harness/isolation/memory_limit.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <new>

namespace revctl::harness {
namespace {

std::atomic<bool>* blamed = nullptr;

}  // namespace

void LimitMemory(std::size_t most, std::atomic<bool>& refused) {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  if (pages == 0 || ::getrlimit(RLIMIT_AS, &limit) != 0) return;
  const rlim_t wanted = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + most;
  limit.rlim_cur = std::min(limit.rlim_cur, wanted);  // "as much as it likes" is the largest number
  (void)::setrlimit(RLIMIT_AS, &limit);
  blamed = &refused;
  std::set_new_handler([] {
    *blamed = true;
    std::set_new_handler(nullptr);
  });
}

}  // namespace revctl::harness
