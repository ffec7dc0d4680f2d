#pragma once
#include <string>
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::config {

/// Returns `text` with `key: value` set in the entry of list `list`. All other bytes stay
/// unchanged. Parses the result again; if it differs in anything else, returns an Error that tells
/// the user which line to write.
base::Result<std::string> SetListKey(std::string_view text, std::string_view list,
                                     std::string_view key, std::string_view value);

/// Sets `purged` in the same way.
base::Result<std::string> SetPurged(std::string_view text, std::string_view list,
                                    const list::Names& names);

}  // namespace revctl::config
