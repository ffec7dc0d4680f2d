#pragma once
#include <string>
#include <string_view>

namespace revctl::commands {

/// Returns the host in a remote's URL, such as "github.com" or "gitlab.studio.example", if pull
/// requests on that host are merged with a button and therefore without the merge driver. Otherwise
/// returns "".
std::string MergeButtonHost(std::string_view url);

}  // namespace revctl::commands
