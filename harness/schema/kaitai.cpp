// Writes the layout of a revision as a Kaitai Struct description. Each record and each kind of
// container gets its own type, in order of first use, so nested containers need no special
// handling.
#include "harness/schema/kaitai.h"

#include <fmt/core.h>
#include <set>

#include "golden/text/scalar_text.h"
#include "harness/schema/condition.h"
#include "harness/schema/expression.h"
#include "harness/schema/operands.h"
#include "harness/trace/condensed.h"

namespace revctl::harness {
namespace {

using revctl::LayoutField;

class Kaitai {
 public:
  Kaitai(const Schema& schema, const KaitaiRequest& request) : schema_(schema), request_(request) {}

  KaitaiResult Run() {
    const std::string title =
        fmt::format("{} as of {} ({})", request_.root, request_.at->name, request_.at->number);
    const std::string root = Need({WireTree::Kind::Record, request_.root, 0, {}});
    std::string types;
    while (written_ < needed_.size()) types += TypeText(WireTree(needed_[written_++]));
    std::string out = fmt::format(
        "meta:\n  id: {}_file\n  title: {}\n  endian: le\n  encoding: UTF-8\nseq:\n"
        "  - {{id: magic, contents: [0x52, 0x56, 0x43, 0x54]}}  # RVCT, unless the program chose "
        "its own\n"
        "  - {{id: revision, type: u4, valid: {}}}\n  - {{id: lineage, type: u8}}\n"
        "  - {{id: payload, type: {}}}\ntypes:\n{}{}",
        LowerSnake(request_.root), golden::Quote(title), request_.at->number, root, types,
        EnumText());
    return {problems_.empty() ? std::move(out) : "", std::move(problems_)};
  }

 private:
  void Trouble(const std::string& place, const std::string& why) {
    problems_.push_back(fmt::format("{}: {}", place, why));
  }

  /// Returns the name of the Kaitai type for `tree`, and schedules that type to be written to the
  /// .ksy file.
  std::string Need(const WireTree& tree) {
    if (asked_.insert(tree.name).second) needed_.push_back(tree);
    return Name(tree);
  }
  /// Returns the name of the type that reads `tree`. Avoids `string`, because a class with this
  /// name would hide the built-in class in many languages. Also avoids giving an enum and the type
  /// that reads it the same name.
  const std::string& Name(const WireTree& tree) {
    if (tree.kind == WireTree::Kind::Text) return types_.Of("counted_text");
    return types_.Of(tree.kind == WireTree::Kind::Enum || tree.kind == WireTree::Kind::Scalar
                         ? tree.name + "_value"
                         : tree.name);
  }

  /// Returns the keys that specify an attribute's type, such as `type: s4`.
  std::string Reading(const WireTree& tree) {
    if (tree.kind == WireTree::Kind::Enum)
      return fmt::format("type: {}, enum: {}", Number(schema_.enums.at(tree.name).underlying),
                         types_.Of(tree.name));
    if (tree.kind != WireTree::Kind::Scalar) return "type: " + Need(tree);
    return fmt::format("type: {}{}", Number(tree.name),
                       tree.name == "bool" ? ", valid: {max: 1}" : "");
  }
  /// Returns a type name, for places where Kaitai Struct accepts only a name.
  std::string TypeName(const WireTree& tree) {
    if (tree.kind == WireTree::Kind::Scalar && tree.name != "bool") return Number(tree.name);
    return Need(tree);
  }
  static std::string Number(const std::string& wire) {
    if (wire == "bool") return "u1";
    return (wire[0] == 'i' ? "s" : wire.substr(0, 1)) + std::to_string(NumberSize(wire));
  }

  std::string TypeText(const WireTree& tree) {
    std::string out =
        fmt::format("  {}:\n    -wire: {}\n    seq:\n", Name(tree), golden::Quote(tree.name));
    const auto line = [&](const std::string& attribute) { out += "      - {" + attribute + "}\n"; };
    const std::string counted = "id: count, type: u4";
    switch (tree.kind) {
      case WireTree::Kind::Record:
        return out.substr(0, out.rfind("    seq:")) + RecordText(tree.name);
      case WireTree::Kind::Scalar:
      case WireTree::Kind::Enum:
        line("id: value, " + Reading(tree));
        break;
      case WireTree::Kind::Text:
        line(counted);
        line("id: text, type: str, size: count");
        break;
      case WireTree::Kind::Array:
        line(fmt::format("id: items, {}, repeat: expr, repeat-expr: {}", Reading(tree.parts[0]),
                         tree.count));
        break;
      case WireTree::Kind::Sequence:
      case WireTree::Kind::Set:
        line(counted);
        line(
            fmt::format("id: items, {}, repeat: expr, repeat-expr: count", Reading(tree.parts[0])));
        break;
      case WireTree::Kind::Map: {
        // A map entry is read like a pair. If no field has this pair type, nothing else requests
        // the type.
        const WireTree entry{WireTree::Kind::Tuple,
                             fmt::format("pair<{},{}>", tree.parts[0].name, tree.parts[1].name), 0,
                             tree.parts};
        line(counted);
        line(fmt::format("id: items, type: {}, repeat: expr, repeat-expr: count", Need(entry)));
        break;
      }
      case WireTree::Kind::Optional:
        line("id: present, type: u1, valid: {max: 1}");
        line(fmt::format("id: value, {}, if: present != 0", Reading(tree.parts[0])));
        break;
      case WireTree::Kind::Tuple:
        for (std::size_t i = 0; i < tree.parts.size(); ++i)
          line(fmt::format("id: item{}, {}", i, Reading(tree.parts[i])));
        break;
      case WireTree::Kind::Variant: {
        line(fmt::format("id: index, type: u1, valid: {{max: {}}}", tree.parts.size() - 1));
        std::string cases;
        for (std::size_t i = 0; i < tree.parts.size(); ++i)
          cases += fmt::format("{}{}: {}", i ? ", " : "", i, TypeName(tree.parts[i]));
        line(fmt::format("id: value, type: {{switch-on: index, cases: {{{}}}}}", cases));
        break;
      }
      case WireTree::Kind::Bits:
        line(fmt::format("id: bits, size: {}", (tree.count + 7) / 8));
        break;
    }
    return out;
  }

  std::string RecordText(const std::string& record) {
    const auto found = schema_.types.find(record);
    if (found == schema_.types.end()) return "    seq: []\n";
    const auto& fields = found->second.layout.fields;
    const std::vector<std::string>& ids = records_.Of(record, fields);
    std::string out;
    for (std::size_t i = 0; i < fields.size(); ++i) out += FieldText(record, fields, i, ids[i]);
    return (fields.empty() ? "    seq: []\n" : "    seq:\n") + out;
  }

  std::string FieldText(const std::string& record, const std::vector<LayoutField>& fields,
                        std::size_t index, const std::string& id) {
    const LayoutField& field = fields[index];
    const std::string place = fmt::format(
        "{}.{}", record, field.name.empty() ? fmt::format("(field {})", index + 1) : field.name);
    std::string unknown;
    const auto tree = ParseWire(field.type, schema_, unknown);
    if (!tree) {
      Trouble(
          place,
          unknown.starts_with("aligned<")
              ? "is aligned, so the padding before it depends on its position in the file, and "
                "Kaitai Struct cannot express such padding"
          : unknown.starts_with("polymorphic<")
              ? fmt::format(
                    "contains the polymorphic class {}, whose subclasses the layout does not list",
                    unknown)
              : fmt::format("no sample reaches a value of type {}, so its layout is unknown",
                            unknown));
      return "";
    }
    std::string out = fmt::format("      - {{id: {}, {}, -orig-id: {}", id, Reading(*tree),
                                  golden::Quote(field.name));
    if (field.form == "base") out += ", -base: true";
    if (field.form == "integrity") out += ", -integrity: true";
    std::string why;
    if (!field.condition.empty()) {
      const auto expression =
          ParseCondition(field.condition, records_.NamesFor(record, fields, index), why);
      if (!expression)
        Trouble(place,
                fmt::format("its condition `{}` cannot be translated: {}", field.condition, why));
      if (expression) out += ", if: " + golden::Quote(ExpressionText(*expression));
    } else if (!field.always) {
      Trouble(place,
              fmt::format("it depends on a branch in the body, and the layout does not contain the "
                          "branch's condition: use ADD_CONDITIONAL({}, condition, {})",
                          field.since, field.name));
    }
    return out + "}\n";
  }

  std::string EnumText() {
    std::string out;
    for (const auto& [name, layout] : schema_.enums) {
      out += fmt::format("{}  {}:\n", out.empty() ? "enums:\n" : "", types_.Of(name));
      NameScope& ids = records_.Enumerators(name);
      // If several names have the same value, use only the first one.
      std::set<std::int64_t> seen;
      for (const auto& [enumerator, value] : layout.enumerators) {
        if (!seen.insert(value).second) continue;
        out += fmt::format("    {}: {{id: {}, -orig-id: {}}}\n", value, ids.Of(enumerator),
                           golden::Quote(enumerator));
      }
      if (layout.enumerators.empty()) out += "    0: {id: unnamed}\n";
    }
    return out;
  }

  const Schema& schema_;
  const KaitaiRequest& request_;
  /// types and enums share a scope, because they become classes in most languages
  NameScope types_;
  Operands records_{schema_, *request_.list, request_.at->number, types_};
  std::set<std::string> asked_;
  std::vector<WireTree> needed_;
  std::size_t written_ = 0;
  std::vector<std::string> problems_;
};

}  // namespace

KaitaiResult KaitaiText(const Schema& schema, const KaitaiRequest& request) {
  return Kaitai(schema, request).Run();
}

}  // namespace revctl::harness
