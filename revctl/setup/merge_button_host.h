#pragma once
#include <string>
#include <string_view>

namespace revctl::commands {

/// Returns the host in a remote's URL, such as "github.com" or "gitlab.studio.example", if the host
/// merges pull requests with a button and so does not call the merge driver. Otherwise returns "".
std::string MergeButtonHost(std::string_view url);

}  // namespace revctl::commands
