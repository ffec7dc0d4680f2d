#pragma once
#include "revctl/base/result.h"

namespace revctl::golden {

// Errors of this folder keep the file apart from the message. Nothing here throws.
using revctl::base::Done;
using revctl::base::Error;
using revctl::base::FileError;
using revctl::base::Result;

/// Fix for files written by a later version of revctl.
inline constexpr const char* kUpdateRevctl =
    "update revctl, then rebuild the harness with the new version";

}  // namespace revctl::golden
