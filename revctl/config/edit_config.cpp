// A person's .revctl.yaml keeps its comments and its order: one value is replaced, or one line added.
#include "revctl/config/edit_config.h"

#include <yaml-cpp/yaml.h>

#include "revctl/config/config.h"

namespace revctl::config {
namespace {

using findings::Error;
using findings::Exit;
using findings::Result;

/// The text with the key set, by the positions that YAML gives; nothing is judged here.
std::string Edited(const std::string& text, const YAML::Node& entry, const std::string& key, const std::string& value) {
  const std::string quoted = "\"" + value + "\"";
  const YAML::Node present = entry[key];
  if (present) {
    const auto begin = static_cast<std::size_t>(present.Mark().pos);
    std::size_t end = begin;
    if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) {
      end = text.find(text[begin], begin + 1);
      end = end == std::string::npos ? text.size() : end + 1;
    } else {
      while (end < text.size() && std::string_view(" \t\r\n,}#").find(text[end]) == std::string_view::npos) ++end;
    }
    return text.substr(0, begin) + quoted + text.substr(end);
  }
  const auto begin = static_cast<std::size_t>(entry.Mark().pos);
  if (entry.Style() == YAML::EmitterStyle::Flow) {
    const std::size_t open = text.find('{', begin);
    return text.substr(0, open + 1) + key + ": " + quoted + ", " + text.substr(open + 1);
  }
  // Block style: a line of its own in front of the first key, which keeps its place behind the dash.
  const std::string indent(static_cast<std::size_t>(entry.Mark().column), ' ');
  return text.substr(0, begin) + key + ": " + quoted + "\n" + indent + text.substr(begin);
}

}  // namespace

Result<std::string> SetListKey(std::string_view text, std::string_view list, std::string_view key, std::string_view value) {
  const Error by_hand{Exit::Usage, std::string(kFileName) + ": " + std::string(key) + " cannot be set here by itself",
                      "write `" + std::string(key) + ": \"" + std::string(value) + "\"` into list `" + std::string(list) + "`"};
  auto before = ParseConfig(text, kFileName);
  if (!before.ok()) return before.error();
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    for (const auto& entry : root["lists"]) {
      const std::string name = entry["name"] ? entry["name"].Scalar() : "main";
      if (name != list) continue;
      std::string edited = Edited(std::string(text), entry, std::string(key), std::string(value));
      auto after = ParseConfig(edited, kFileName);
      if (!after.ok()) return by_hand;
      const auto changes = PolicyChanges(*before, *after);
      const std::string expected = "lists." + std::string(list) + "." + std::string(key);
      if (changes.empty() || changes == std::vector<std::string>{expected}) return edited;
      return by_hand;
    }
  } catch (const YAML::Exception&) {
    return by_hand;
  }
  return by_hand;
}

}  // namespace revctl::config
