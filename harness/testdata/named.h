#pragma once
#include <revctl/serialize.h>

/// Gives a type of a test the name that its goldens have, because one type at several times of a
/// program is several types in the test. Use it at global scope.
#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  }
