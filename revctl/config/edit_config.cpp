// Edits a .revctl.yaml. Replaces a single value or adds a single line, so that comments and order
// are preserved.
#include "revctl/config/edit_config.h"

#include <yaml-cpp/yaml.h>

#include <fmt/core.h>
#include <functional>

#include "revctl/config/config.h"

namespace revctl::config {
namespace {

/// Returns the YAML text of a value for a key that begins in column `column`.
using Writer = std::function<std::string(std::size_t column)>;

/// Returns `text` with `key` set in `entry`, using the position that the YAML parser reports. Does
/// not check the result.
std::string Edited(const std::string& text, const YAML::Node& entry, const std::string& key,
                   const Writer& write) {
  const std::string written = write(static_cast<std::size_t>(entry.Mark().column));
  const YAML::Node present = entry[key];
  if (present) {
    const auto begin = static_cast<std::size_t>(present.Mark().pos);
    std::size_t end = begin;
    if (begin < text.size() && (text[begin] == '"' || text[begin] == '\'')) {
      end = text.find(text[begin], begin + 1);
      end = end == std::string::npos ? text.size() : end + 1;
    } else if (begin < text.size() && text[begin] == '[') {
      end = text.find(']', begin);
      end = end == std::string::npos ? text.size() : end + 1;
    } else {
      while (end < text.size() &&
             std::string_view(" \t\r\n,}#").find(text[end]) == std::string_view::npos)
        ++end;
    }
    return text.substr(0, begin) + written + text.substr(end);
  }
  const auto begin = static_cast<std::size_t>(entry.Mark().pos);
  if (entry.Style() == YAML::EmitterStyle::Flow) {
    const std::size_t open = text.find('{', begin);
    return fmt::format("{}{}: {}, {}", text.substr(0, open + 1), key, written,
                       text.substr(open + 1));
  }
  // In block style, insert a line before the first key, so that the new key comes right after the
  // dash.
  const std::string indent(static_cast<std::size_t>(entry.Mark().column), ' ');
  return fmt::format("{}{}: {}\n{}{}", text.substr(0, begin), key, written, indent,
                     text.substr(begin));
}

/// Returns `edited` with the line endings of `text`: converts LF to CRLF if the first line of
/// `text` ends with CRLF.
std::string WithLineEndsOf(std::string_view text, const std::string& edited) {
  const std::size_t first = text.find('\n');
  if (first == std::string_view::npos || first == 0 || text[first - 1] != '\r') return edited;
  std::string out;
  for (std::size_t i = 0; i < edited.size(); ++i) {
    if (edited[i] == '\n' && (i == 0 || edited[i - 1] != '\r')) out += '\r';
    out += edited[i];
  }
  return out;
}
Result<std::string> Set(std::string_view text, std::string_view list, std::string_view key,
                        const Writer& write,
                        const std::function<bool(const list::ListConfig&)>& said) {
  const Error by_hand{Exit::Usage,
                      fmt::format("{}: revctl cannot edit `{}` automatically", kFileName, key),
                      fmt::format("write `{}: {}` into list `{}`", key, write(0), list)};
  TRY(auto before, ParseConfig(text, kFileName));
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    for (const auto& entry : root["lists"]) {
      const std::string name = entry["name"] ? entry["name"].Scalar() : "main";
      if (name != list) continue;
      const std::string edited =
          WithLineEndsOf(text, Edited(std::string(text), entry, std::string(key), write));
      auto after = ParseConfig(edited, kFileName);
      if (!after.ok()) return by_hand;
      const list::ListConfig* const one = after->ListNamed(list);
      if (one == nullptr || !said(*one)) return by_hand;
      const auto changes = PolicyChanges(before, *after);
      const std::string expected = fmt::format("lists.{}.{}", list, key);
      if (changes.empty() || changes == std::vector<std::string>{expected}) return edited;
      return by_hand;
    }
  } catch (const YAML::Exception&) {
    return by_hand;
  }
  return by_hand;
}

}  // namespace

Result<std::string> SetListKey(std::string_view text, std::string_view list, std::string_view key,
                               std::string_view value) {
  const auto write = [&](std::size_t) { return fmt::format("\"{}\"", value); };
  return Set(text, list, key, write, [](const list::ListConfig&) { return true; });
}

Result<std::string> SetPurged(std::string_view text, std::string_view list,
                              const list::Names& names) {
  // Quote the names, because a list without a prefix may have a revision called `null`. Keep lines
  // short, so that reviewers see which names were added.
  const auto write = [&](std::size_t column) {
    std::string out = "[";
    std::size_t length = column + 12;
    for (const std::string& name : names) {
      if (out.size() > 1) out += ",";
      if (length + name.size() + 4 > 110) {
        out += "\n" + std::string(column + 4, ' ');
        length = column + 4;
      } else if (out.size() > 1) {
        out += " ";
      }
      out += fmt::format("\"{}\"", name);
      length += name.size() + 4;
    }
    return out + "]";
  };
  return Set(text, list, "purged", write,
             [&](const list::ListConfig& after) { return after.purged == names; });
}

}  // namespace revctl::config
