#include "harness/schema/wire_tree.h"

#include <charconv>
#include <utility>

#include "harness/layout/fields.h"

namespace revctl::harness {
namespace {

bool IsScalar(std::string_view name) {
  for (std::string_view scalar :
       {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}) {
    if (name == scalar) return true;
  }
  return false;
}

/// The arguments between the outermost brackets, split at commas that are not inside others.
std::vector<std::string_view> Arguments(std::string_view wire) {
  std::vector<std::string_view> arguments;
  const auto open = wire.find('<');
  if (open == std::string_view::npos || !wire.ends_with('>')) return arguments;
  const std::string_view inside = wire.substr(open + 1, wire.size() - open - 2);
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= inside.size(); ++i) {
    if (i < inside.size() && inside[i] == '<') ++depth;
    if (i < inside.size() && inside[i] == '>') --depth;
    if (i < inside.size() && (inside[i] != ',' || depth != 0)) continue;
    arguments.push_back(inside.substr(begin, i - begin));
    begin = i + 1;
  }
  return arguments;
}

std::optional<std::size_t> Number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<WireTree::Kind> ContainerKind(std::string_view outermost) {
  static constexpr std::pair<std::string_view, WireTree::Kind> kKinds[] = {
      {"array", WireTree::Kind::Array},       {"vector", WireTree::Kind::Sequence},
      {"set", WireTree::Kind::Set},           {"map", WireTree::Kind::Map},
      {"optional", WireTree::Kind::Optional}, {"unique_ptr", WireTree::Kind::Optional},
      {"pair", WireTree::Kind::Tuple},        {"tuple", WireTree::Kind::Tuple},
      {"variant", WireTree::Kind::Variant},   {"bitset", WireTree::Kind::Bits}};
  for (const auto& [name, kind] : kKinds) {
    if (outermost == name) return kind;
  }
  return std::nullopt;
}

}  // namespace

std::optional<WireTree> ParseWire(std::string_view wire, const Schema& schema,
                                  std::string& unknown) {
  WireTree tree{WireTree::Kind::Scalar, std::string(wire), 0, {}};
  if (IsScalar(wire)) return tree;
  if (wire == "string") {
    tree.kind = WireTree::Kind::Text;
    return tree;
  }
  if (schema.enums.contains(tree.name)) {
    tree.kind = WireTree::Kind::Enum;
    return tree;
  }
  if (schema.types.contains(tree.name)) {
    tree.kind = WireTree::Kind::Record;
    return tree;
  }
  unknown = tree.name;
  const auto kind = ContainerKind(Outermost(wire));
  std::vector<std::string_view> arguments = Arguments(wire);
  if (!kind || arguments.empty()) return std::nullopt;
  tree.kind = *kind;
  if (*kind == WireTree::Kind::Array || *kind == WireTree::Kind::Bits) {
    const auto count = Number(arguments.back());
    if (!count) return std::nullopt;
    tree.count = *count;
    arguments.pop_back();
  }
  for (const std::string_view argument : arguments) {
    auto part = ParseWire(argument, schema, unknown);
    if (!part) return std::nullopt;
    tree.parts.push_back(std::move(*part));
  }
  return tree;
}

}  // namespace revctl::harness
