#pragma once
#include <revctl/serialize.h>

/// Assigns a test's type its name in goldens. A test needs several C++ types for several versions
/// of one type of a program. Use at global scope.
#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  }
