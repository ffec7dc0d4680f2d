#include "revctl/setup/merge_button_host.h"

#include <algorithm>
#include <array>

#include "revctl/base/ascii.h"

namespace revctl::commands {
namespace {

/// Words that identify hosting services and most self-hosted servers by their host names.
constexpr std::array<std::string_view, 9> kHosts = {"github", "gitlab",       "bitbucket",
                                                    "gitea",  "forgejo",      "codeberg",
                                                    "gitee",  "visualstudio", "dev.azure"};

/// Returns the host in `https://user@host:8443/path`, `ssh://host/path` or `user@host:path`.
/// Returns "" for a local path.
std::string HostOf(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme != url.npos) {
    if (url.substr(0, scheme) == "file") return "";
    url.remove_prefix(scheme + 3);
    url = url.substr(0, url.find('/'));
  } else {
    const std::size_t colon = url.find(':');
    // After a slash, or after a single letter (a drive), a colon is part of a local path.
    if (colon == url.npos || colon < 2 || url.substr(0, colon).find('/') != url.npos) return "";
    url = url.substr(0, colon);
  }
  if (const std::size_t at = url.rfind('@'); at != url.npos) url.remove_prefix(at + 1);
  return base::Lower(std::string(url.substr(0, url.find(':'))));
}

}  // namespace

std::string MergeButtonHost(std::string_view url) {
  std::string host = HostOf(url);
  const bool known = std::any_of(kHosts.begin(), kHosts.end(), [&](std::string_view word) {
    return host.find(word) != host.npos;
  });
  return known ? host : "";
}

}  // namespace revctl::commands
