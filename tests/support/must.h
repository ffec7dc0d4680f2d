#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "revctl/base/result.h"

namespace revctl::testing {

/// Returns the value of `result`. If it is an error, fails the test with the error's message.
template <class T>
T Must(base::Result<T> result) {
  INFO((result.ok() ? std::string() : ErrorText(result.error())));
  REQUIRE(result.ok());
  return std::move(*result);
}

}  // namespace revctl::testing
