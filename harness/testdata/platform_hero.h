#pragma once
// The struct is declared here, but its body is in platform_types_test.cpp.
#include <cstddef>
#include <cstdint>

namespace platform {

using Steps = std::size_t;
#ifdef _WIN32
using Sized = long long;
#else
using Sized = long;
#endif

struct Hero {
  struct Bag {
    std::int64_t gold = 0;
    long weight = 0;
  };
  std::int64_t hp = 0, mana = 0;
  unsigned long kills = 0;
  Steps steps = 0;
  Sized sized = 0;
  Bag bag;
  void Rest() { hp = mana; }
};

}  // namespace platform
