#include "revctl/generate/yaml_node.h"

#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <algorithm>
#include <set>

#include "revctl/generate/keys.h"

namespace revctl::generate {

Position PlaceOf(const YAML::Mark& mark) {
  return mark.is_null() ? Position{1, 1} : Position{mark.line + 1, mark.column + 1};
}
Position PlaceIn(const YAML::Node& node, std::size_t at) {
  Position place = PlaceOf(node.Mark());
  place.column += static_cast<int>(at) + (node.Tag() == "!" ? 1 : 0);
  return place;
}
void Refuse(const YAML::Node& node, std::string message, std::string fix) {
  throw Bad{PlaceOf(node.Mark()), std::move(message), std::move(fix)};
}
std::string Quoted(std::string_view text) {
  return fmt::format("'{}{}", text.substr(0, 60), text.size() > 60 ? "...'" : "'");
}

std::string Scalar(const YAML::Node& node, std::string_view what) {
  if (!node.IsScalar())
    Refuse(node, std::string(what) + " must be one plain value", std::string(what) + ": value");
  for (const char c : node.Scalar()) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      Refuse(node, std::string(what) + " must be one line of text", "write it in one line");
  }
  // A comment may be broken at every blank, and what is behind a backslash at the end of a line
  // belongs to that line.
  const std::string& text = node.Scalar();
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 1)) {
    if (at + 1 == text.size())
      Refuse(node, std::string(what) + " ends with a backslash, which would join lines of C++",
             "take it away");
    if (text[at + 1] == ' ')
      Refuse(node,
             std::string(what) + " has a backslash before a blank, which may join lines of C++",
             "take it away");
  }
  if (text.find("?\?/") != std::string::npos)
    Refuse(node, std::string(what) + " has a ?\?/, which is a backslash to some compilers",
           "take it apart");
  return node.Scalar();
}

void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section) {
  const std::vector<std::string_view> known = config::NamesIn(Keys(), section);
  if (!map.IsMap())
    Refuse(map, std::string(what) + " must be keys and values (key: value)", std::string(kPage));
  std::set<std::string> seen;
  for (const auto& pair : map) {
    const std::string key = Scalar(pair.first, "a key");
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      std::string all;
      for (std::string_view k : known) all += (all.empty() ? "" : ", ") + std::string(k);
      Refuse(pair.first, fmt::format("unknown key {} in {}", Quoted(key), what),
             "known keys: " + all);
    }
    if (!seen.insert(key).second)
      Refuse(pair.first, fmt::format("key {} is given twice", Quoted(key)),
             "take one of the two out");
  }
}

YAML::Node Sequence(const YAML::Node& map, const char* key) {
  const YAML::Node list = map[key];
  if (list && !list.IsSequence())
    Refuse(list, std::string(key) + " must be a list",
           std::string(key) + ": [...], or lines that begin with -");
  return list;
}

}  // namespace revctl::generate
