#pragma once
#include <revctl/serialize.h>

/// A test's type under the name that its goldens have: one type at several times of a program is
/// several types of the test. At global scope.
#define NAMED(type, name)                      \
  template <>                                  \
  struct revctl::NameOf<type> {                \
    static std::string Name() { return name; } \
  }
