#pragma once
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/config/config.h"

namespace revctl::config {

/// A config key with its value, whether or not `.revctl.yaml` sets the key.
struct Setting {
  /// Returns the key with its position, such as "target", "lists.0.path", "land.by" or
  /// "allow.2.rule".
  std::string Path() const;

  std::string section;   ///< "lists", "land", "allow", or "" for the top level
  std::size_t item = 0;  ///< index of the list or allowance
  std::string key;
  std::string value;        ///< as YAML
  bool is_default = false;  ///< true if a file without the key has the same value
};

/// Returns a config's settings in the usual order. Includes keys of `allow` only if `allow` has
/// entries.
std::vector<Setting> SettingsOf(const Config& config);

/// Returns the settings as YAML. `comment` returns the comment for a line, or "".
std::string FormatSettings(const std::vector<Setting>& settings,
                           const std::function<std::string(const Setting&)>& comment);

/// Returns the line number of each key in the text of a `.revctl.yaml`. Keys have the same form as
/// the result of Setting::Path().
base::Result<std::map<std::string, int>> LinesOfKeys(std::string_view text, std::string_view path);

}  // namespace revctl::config
