#include <yaml-cpp/yaml.h>

#include <fmt/core.h>

#include "revctl/config/settings.h"
#include "revctl/config/yaml_text.h"

namespace revctl::config {
namespace {

void AddKeys(const YAML::Node& map, const std::string& before, std::map<std::string, int>& out) {
  if (!map || !map.IsMap()) return;
  for (const auto& entry : map)
    out.emplace(before + entry.first.Scalar(), entry.first.Mark().line + 1);
}

}  // namespace

base::Result<std::map<std::string, int>> LinesOfKeys(std::string_view text, std::string_view path) {
  return ReadYaml<std::map<std::string, int>>(text, path, "", [](const YAML::Node& root) {
    std::map<std::string, int> out;
    AddKeys(root, "", out);
    AddKeys(root["land"], "land.", out);
    for (const char* section : {"lists", "allow"}) {
      const YAML::Node items = root[section];
      for (std::size_t i = 0; items && items.IsSequence() && i < items.size(); ++i)
        AddKeys(items[i], fmt::format("{}.{}.", section, i), out);
    }
    return out;
  });
}

}  // namespace revctl::config
