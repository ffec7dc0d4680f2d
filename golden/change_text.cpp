#include "golden/change_text.h"

#include <fmt/core.h>

namespace revctl::golden {
namespace {

std::string SideText(const std::optional<std::string>& side) {
  return side ? ValueText(*side) : "~";
}

std::optional<std::string> ReadSide(TextReader& reader, const TextNode& node) {
  if (node.kind == TextNode::Kind::Scalar && !node.quoted && node.scalar == "~")
    return std::nullopt;
  return reader.Value(node);
}

}  // namespace

std::string ValueText(std::string_view text) {
  if (text.starts_with('"')) return std::string(text);
  return IsPlain(text) ? NumberOrWord(text) : Quote(text);
}

void FormatChanges(std::string_view key, std::size_t indent, const std::vector<Change>& changes,
                   std::string& out) {
  const std::string blanks(indent, ' ');
  out += fmt::format("{}{}:\n", blanks, key);
  for (const Change& change : changes) {
    out += fmt::format("{}  {}: [{}, {}]\n", blanks, KeyText(change.path), SideText(change.before),
                       SideText(change.after));
  }
}

std::vector<Change> ReadChanges(TextReader& reader, const TextNode& node) {
  std::vector<Change> changes;
  for (const auto& [path, sides] : node.map) {
    if (sides.kind != TextNode::Kind::List || sides.list.size() != 2) {
      reader.Fail(sides, "expected `[before, after]`");
      return changes;
    }
    changes.push_back({path, ReadSide(reader, sides.list[0]), ReadSide(reader, sides.list[1])});
  }
  return changes;
}

}  // namespace revctl::golden
