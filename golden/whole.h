#pragma once
#include <optional>
#include <string>

#include "golden/index.h"
#include "golden/result.h"

namespace revctl::golden {

/// Why a record and the payloads beside it are not what was written together; nullopt: they are.
/// The error names the file of `folder`. `payloads` is nullopt where there is no such file. What
/// stands in for them in Git LFS is not judged, nor is an addition whose text cannot be read or is
/// not what it is named after: the harness says that.
std::optional<Error> WhyNotWhole(const std::string& folder, const FileName& name,
                                 const std::string& record,
                                 const std::optional<std::string>& payloads);

}  // namespace revctl::golden
