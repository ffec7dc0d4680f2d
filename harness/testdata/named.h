#pragma once
#include <revctl/serialize.h>

/// Gives a test's type the name that it has in goldens, because one type of a program at several
/// times is several C++ types in the test. Use at global scope.
#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  }
