#include "harness/schema_text.h"

#include "golden/text_tree.h"

namespace harness {
namespace {

using revctl::LayoutField;

std::string FieldText(const LayoutField& field) {
  std::string text = "{";
  if (!field.name.empty()) text += "name: " + golden::PlainOrQuoted(field.name) + ", ";
  text += "type: " + golden::PlainOrQuoted(field.type);
  if (field.size != 0) text += ", size: " + std::to_string(field.size);
  if (!field.since.empty()) text += ", since: " + golden::PlainOrQuoted(field.since);
  if (!field.until.empty()) text += ", until: " + golden::PlainOrQuoted(field.until);
  if (!field.condition.empty()) text += ", condition: " + golden::Quote(field.condition);
  return text + "}";
}

const LayoutField* Find(const TypeTrace& type, const LayoutField& wanted) {
  for (const LayoutField& field : type.layout.fields) {
    if (field.name == wanted.name && field.form == wanted.form &&
        (!field.name.empty() || field.since == wanted.since))
      return &field;
  }
  for (const LayoutField& field : type.layout.fields) {
    if (!field.name.empty() && field.name == wanted.name) return &field;
  }
  return nullptr;
}

}  // namespace

std::string SchemaText(const Schema& schema) {
  std::string out = "types:\n";
  for (const auto& [name, type] : schema.types) {
    out += "  " + golden::KeyText(name) + (type.layout.fields.empty() ? ": []\n" : ":\n");
    for (const LayoutField& field : type.layout.fields) out += "    - " + FieldText(field) + "\n";
  }
  if (schema.enums.empty()) return out;
  out += "enums:\n";
  for (const auto& [name, layout] : schema.enums) {
    out += "  " + golden::KeyText(name) + ":\n    underlying: " + layout.underlying +
           "\n    values: {";
    for (std::size_t i = 0; i < layout.enumerators.size(); ++i) {
      out += (i ? ", " : "") + golden::PlainOrQuoted(layout.enumerators[i].first) + ": " +
             std::to_string(layout.enumerators[i].second);
    }
    out += "}\n";
  }
  return out;
}

std::string SchemaChanges(const Schema& from, const Schema& to) {
  std::string out;
  for (const auto& [name, type] : to.types) {
    const auto before = from.types.find(name);
    if (before == from.types.end()) {
      out += "+ " + name + "\n";
      for (const LayoutField& field : type.layout.fields)
        out += "+ " + name + "." + FieldText(field) + "\n";
      continue;
    }
    for (const LayoutField& field : before->second.layout.fields) {
      if (!Find(type, field)) out += "- " + name + "." + FieldText(field) + "\n";
    }
    for (const LayoutField& field : type.layout.fields) {
      const LayoutField* then = Find(before->second, field);
      if (!then) {
        out += "+ " + name + "." + FieldText(field) + "\n";
      } else if (then->type != field.type || then->size != field.size) {
        out += "- " + name + "." + FieldText(*then) + "\n+ " + name + "." + FieldText(field) + "\n";
      }
    }
  }
  for (const auto& [name, type] : from.types) {
    if (!to.types.contains(name)) out += "- " + name + "\n";
  }
  return out;
}

}  // namespace harness
