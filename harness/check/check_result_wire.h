#pragma once
#include <optional>
#include <string>

#include "harness/check/check.h"

namespace revctl::harness {

/// A folded result as bytes, for a pipe between a program and itself: not a format, nothing is
/// kept in it.
std::string PackCheckResult(const CheckResult& result);
/// Nothing where the bytes are none, or not whole.
std::optional<CheckResult> UnpackCheckResult(const std::string& bytes);

}  // namespace revctl::harness
