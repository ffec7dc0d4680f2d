#pragma once
#include <revctl/serialize.h>

/// Sets a type's name in goldens. In tests, every version of a program's type is a separate C++
/// type with the same name. Use at global scope.
#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  }
