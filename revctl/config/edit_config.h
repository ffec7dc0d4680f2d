#pragma once
#include <string>
#include <string_view>

#include "revctl/base/result.h"
#include "revctl/list/reading/list_config.h"

namespace revctl::config {

/// `text` with `key: value` set in the entry of list `list`; every other byte stays. The result has
/// been read again: it says what was asked for and nothing else, or an Error says what to write by
/// hand.
base::Result<std::string> SetListKey(std::string_view text, std::string_view list,
                                     std::string_view key, std::string_view value);

/// The same for `purged`, the names that a list once had.
base::Result<std::string> SetPurged(std::string_view text, std::string_view list,
                                    const list::Names& names);

}  // namespace revctl::config
