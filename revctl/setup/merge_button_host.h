#pragma once
#include <string>
#include <string_view>

namespace revctl::commands {

/// Returns the host in a remote's URL if the host merges pull requests with a button, such as
/// "github.com" or "gitlab.studio.example"; otherwise "". Such hosts
/// call no merge driver.
std::string MergeButtonHost(std::string_view url);

}  // namespace revctl::commands
