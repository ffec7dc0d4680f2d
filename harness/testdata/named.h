#pragma once
#include <revctl/serialize.h>

/// Assigns a test's type its name in goldens. In a test, every version of a program's type is a
/// separate C++ type. Use at global scope.
#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  }
