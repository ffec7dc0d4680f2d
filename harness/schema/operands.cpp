#include "harness/schema/operands.h"

#include <fmt/core.h>
#include <utility>

#include <revctl/detail/base/parse_number.h>

#include "golden/stale_records.h"
#include "harness/advice/code_lines.h"
#include "harness/layout/fields.h"
#include "harness/trace/condensed.h"
#include "revctl/base/ascii.h"

namespace revctl::harness {
namespace {

bool IsScalar(std::string_view name) {
  for (std::string_view scalar :
       {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"}) {
    if (name == scalar) return true;
  }
  return false;
}

/// Returns the arguments between the outermost angle brackets, split at top-level commas.
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

/// True if a container of this kind can have `parts` element types.
bool FitsKind(WireTree::Kind kind, std::size_t parts) {
  switch (kind) {
    case WireTree::Kind::Bits:
      return parts == 0;
    case WireTree::Kind::Map:
      return parts == 2;
    case WireTree::Kind::Tuple:
    case WireTree::Kind::Variant:
      return parts > 0;
    default:
      return parts == 1;
  }
}

/// `depth` is the nesting depth: the number of types around this one.
std::optional<WireTree> ParseAt(std::string_view wire, const Schema& schema, std::string& unknown,
                                std::size_t depth) {
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
  if (depth == golden::kDeepestWireType) return std::nullopt;
  const auto kind = ContainerKind(Outermost(wire));
  std::vector<std::string_view> arguments = Arguments(wire);
  if (!kind || arguments.empty()) return std::nullopt;
  tree.kind = *kind;
  if (*kind == WireTree::Kind::Array || *kind == WireTree::Kind::Bits) {
    if (!revctl::detail::ParseNumber(arguments.back(), tree.count)) return std::nullopt;
    arguments.pop_back();
  }
  for (const std::string_view argument : arguments) {
    auto part = ParseAt(argument, schema, unknown, depth + 1);
    if (!part) return std::nullopt;
    tree.parts.push_back(std::move(*part));
  }
  if (!FitsKind(tree.kind, tree.parts.size())) {
    unknown = tree.name;
    return std::nullopt;
  }
  return tree;
}

}  // namespace

std::optional<WireTree> ParseWire(std::string_view wire, const Schema& schema,
                                  std::string& unknown) {
  return ParseAt(wire, schema, unknown, 0);
}

std::string LowerSnake(std::string_view name) {
  const std::string out = base::Lower(UpperWords(name));
  if (out.empty()) return "value";
  return base::IsLower(out.front()) ? out : "n" + out;
}

const std::string& NameScope::Of(const std::string& original) {
  const auto known = names_.find(original);
  if (known != names_.end()) return known->second;
  const std::string wanted = LowerSnake(original);
  std::string name = wanted;
  for (int n = 2; !taken_.insert(name).second; ++n) name = wanted + "_" + std::to_string(n);
  return names_.emplace(original, std::move(name)).first->second;
}

namespace {

using revctl::LayoutField;

/// Returns an operand for the value of a field. `tree` is the field's type, and `name` the value's
/// name in expressions.
Operand ValueOf(const WireTree& tree, const std::string& name) {
  Operand operand;
  operand.value = ValueNamed(name);
  switch (tree.kind) {
    case WireTree::Kind::Scalar:
      operand.kind = tree.name[0] == 'f' ? Operand::Kind::Real : Operand::Kind::Number;
      operand.is_unsigned = tree.name[0] == 'u' || tree.name == "bool";
      operand.bits = 8 * static_cast<int>(NumberSize(tree.name));
      break;
    case WireTree::Kind::Enum:
      operand.kind = Operand::Kind::Enum;
      operand.type = tree.name;
      break;
    case WireTree::Kind::Text:
      operand.kind = Operand::Kind::Text;
      operand.type = name + ".count";  // number of bytes, like size() in C++
      operand.value = ValueNamed(name + ".text");
      break;
    case WireTree::Kind::Optional:
      operand.kind = Operand::Kind::Optional;
      break;
    case WireTree::Kind::Sequence:
    case WireTree::Kind::Set:
    case WireTree::Kind::Map:
      operand.kind = Operand::Kind::Sequence;
      break;
    default:
      operand.kind = Operand::Kind::Record;
      operand.type = tree.name;
  }
  return operand;
}

std::string LastWord(const std::string& qualified) {
  const auto colon = qualified.rfind("::");
  return colon == std::string::npos ? qualified : qualified.substr(colon + 2);
}

constexpr std::size_t kMostBases = 256;
constexpr std::size_t kAll = static_cast<std::size_t>(-1);

}  // namespace

const std::vector<std::string>& Operands::Of(const std::string& record,
                                             const std::vector<LayoutField>& fields) {
  const auto [found, fresh] = records_.try_emplace(record);
  if (!fresh) return found->second;
  NameScope scope;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    // Make names unique by adding the field's position. A name is missing after a plain visit, and
    // occurs several times if gates leave a gap between revisions.
    std::string key = fields[i].name.empty() ? fmt::format("field{}", i + 1) : fields[i].name;
    if (fields[i].form == "integrity") key = "integrity";
    for (std::size_t j = 0; j < i; ++j)
      if (fields[j].name == fields[i].name && !fields[i].name.empty()) key += fmt::format("#{}", i);
    found->second.push_back(scope.Of(key));
  }
  return found->second;
}

Names Operands::NamesFor(const std::string& record, const std::vector<LayoutField>& fields,
                         std::size_t index) {
  (void)Of(record, fields);
  Names names;
  names.revision = revision_;
  names.member = [this, record, index](const Operand* inside, const std::string& name,
                                       std::string& why) {
    std::size_t bases = 0;
    return inside ? Field(inside->type, kAll, inside->value.text + ".", name, false, why, bases)
                  : Field(record, index, "", name, false, why, bases);
  };
  names.local = [this, record, index](const std::string& name, std::string& why) {
    std::size_t bases = 0;
    return Field(record, index, "", name, true, why, bases);
  };
  names.constant = [this](const std::string& scope, const std::string& name, std::string& why) {
    return Constant(scope, name, why);
  };
  return names;
}

std::optional<Operand> Operands::Field(const std::string& record, std::size_t before,
                                       const std::string& prefix, const std::string& name,
                                       bool local, std::string& why, std::size_t& bases) {
  const auto found = schema_.types.find(record);
  if (found == schema_.types.end()) {
    why = fmt::format("`{}` is a member of {}, whose fields are not in the schema", name, record);
    return std::nullopt;
  }
  const auto& fields = found->second.layout.fields;
  const std::vector<std::string>& ids = Of(record, fields);
  for (std::size_t i = 0; i < fields.size() && i < before; ++i) {
    const LayoutField& field = fields[i];
    // In a hostile record, a class may be its own base.
    if (field.form == "base" && !local && bases < kMostBases) {
      ++bases;
      std::string unused;
      if (auto inherited = Field(field.type, kAll, fmt::format("{}{}.", prefix, ids[i]), name,
                                 false, unused, bases))
        return inherited;
    }
    if (field.name != name || (field.form == "rem") != local) continue;
    if (!field.condition.empty() || !field.always) {
      why = fmt::format("`{}` itself is not always present", name);
      return std::nullopt;
    }
    std::string unknown;
    const auto tree = ParseWire(field.type, schema_, unknown);
    if (!tree) break;
    return ValueOf(*tree, prefix + ids[i]);
  }
  why = fmt::format("`{}` is not read before this field at this revision", name);
  return std::nullopt;
}

std::optional<Operand> Operands::Constant(const std::string& scope, const std::string& name,
                                          std::string& why) {
  if (const revctl::ListEntry* entry = list_.Find(std::string_view(name))) {
    return Operand{.value = NumberConstant(entry->number)};
  }
  std::optional<Operand> found;
  for (const auto& [type, layout] : schema_.enums) {
    const bool fits = scope.empty() || scope == type || LastWord(scope) == LastWord(type);
    for (const auto& [enumerator, value] : layout.enumerators) {
      if (!fits || LastWord(enumerator) != name) continue;
      if (found) {
        why = fmt::format("`{}` is ambiguous: several enums have this enumerator", name);
        return std::nullopt;
      }
      // If several names have the same value, use the first one, like EnumText in kaitai.cpp.
      std::string first = enumerator;
      for (const auto& [other, other_value] : layout.enumerators) {
        if (other_value == value) {
          first = other;
          break;
        }
      }
      found = Operand{.kind = Operand::Kind::Enum, .value = NumberConstant(value), .type = type};
      // Conditions are evaluated with the enumerator's number, but Kaitai Struct needs its name.
      found->value.text = fmt::format("{}::{}", enums_.Of(type), Enumerators(type).Of(first));
    }
  }
  if (!found)
    why = fmt::format("`{}{}{}` exists only in C++", scope, scope.empty() ? "" : "::", name);
  return found;
}

}  // namespace revctl::harness
