#pragma once
#include "revctl/base/result.h"

namespace revctl::golden {

// Errors in this folder store the file name separately from the message. Nothing here throws.
using revctl::base::Done;
using revctl::base::Error;
using revctl::base::FileError;
using revctl::base::Result;

/// The fix for a file written by a newer version of revctl.
inline constexpr const char* kUpdateRevctl =
    "update revctl, then rebuild the harness with the new version";

}  // namespace revctl::golden
