#pragma once
#include <string>
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::config {

/// Returns `text` with `key: value` set in the entry of list `list`, and every other byte
/// unchanged. Parses the result to verify that. If anything else changed, returns an Error whose
/// fix is the line that the user should write.
base::Result<std::string> SetListKey(std::string_view text, std::string_view list,
                                     std::string_view key, std::string_view value);

/// Like SetListKey(), but sets `purged`.
base::Result<std::string> SetPurged(std::string_view text, std::string_view list,
                                    const list::Names& names);

}  // namespace revctl::config
