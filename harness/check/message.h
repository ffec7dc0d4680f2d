#pragma once
#include <optional>
#include <string>

#include "harness/check/check.h"

namespace revctl::harness {

/// An untold result as bytes, for a pipe between a program and itself: not a format, nothing is
/// kept in it.
std::string PackMessage(const CheckResult& result);
/// Nothing where the bytes are none, or not whole.
std::optional<CheckResult> UnpackMessage(const std::string& bytes);

}  // namespace revctl::harness
