#include "harness/schema/schema_text.h"

#include <fmt/core.h>

#include <revctl/detail/binary/file_header.h>

#include "golden/scalar_text.h"

namespace revctl::harness {

using base::Json;
using revctl::LayoutField;

std::string FieldText(const LayoutField& field) {
  std::string text = "{";
  if (!field.name.empty()) text += fmt::format("name: {}, ", golden::PlainOrQuoted(field.name));
  text += "type: " + golden::PlainOrQuoted(field.type);
  if (field.size != 0) text += fmt::format(", size: {}", field.size);
  if (!field.since.empty()) text += ", since: " + golden::PlainOrQuoted(field.since);
  if (!field.until.empty()) text += ", until: " + golden::PlainOrQuoted(field.until);
  if (!field.condition.empty()) text += ", condition: " + golden::Quote(field.condition);
  return text + "}";
}

namespace {

/// All that is known of a field, on one line: as records have it.
std::string WholeFieldText(const LayoutField& field) {
  std::string text = "{";
  if (!field.name.empty()) text += fmt::format("name: {}, ", golden::PlainOrQuoted(field.name));
  text += "type: " + golden::PlainOrQuoted(field.type);
  if (field.size != 0) text += fmt::format(", size: {}", field.size);
  text += ", form: " + golden::PlainOrQuoted(field.form);
  if (!field.since.empty())
    text += fmt::format(", since: {}, from: {}", golden::PlainOrQuoted(field.since),
                        field.since_number);
  if (!field.until.empty())
    text +=
        fmt::format(", until: {}, to: {}", golden::PlainOrQuoted(field.until), field.until_number);
  if (!field.condition.empty()) text += ", condition: " + golden::Quote(field.condition);
  if (!field.always) text += ", always: false";
  return text + "}";
}

}  // namespace

std::string SchemaText(const Schema& schema, const revctl::ListEntry& at) {
  std::string out = fmt::format("version: 1\nrevision: {}\nnumber: {}\nlineage: {}\ntypes:\n",
                                golden::PlainOrQuoted(at.name), at.number,
                                golden::Quote(revctl::LineageText(at.lineage)));
  for (const auto& [name, type] : schema.types) {
    out += fmt::format("  {}:{}\n", golden::KeyText(name), type.layout.fields.empty() ? " []" : "");
    for (const LayoutField& field : type.layout.fields)
      out += fmt::format("    - {}\n", WholeFieldText(field));
  }
  if (schema.enums.empty()) return out;
  out += "enums:\n";
  for (const auto& [name, layout] : schema.enums) {
    out += fmt::format("  {}:\n    underlying: {}\n    values: {{", golden::KeyText(name),
                       layout.underlying);
    for (std::size_t i = 0; i < layout.enumerators.size(); ++i) {
      const auto& [enumerator, value] = layout.enumerators[i];
      out += fmt::format("{}{}: {}", i ? ", " : "", golden::PlainOrQuoted(enumerator), value);
    }
    out += "}\n";
  }
  return out;
}

Json SchemaJson(const Schema& schema, const revctl::ListEntry& at) {
  Json::List types, enums;
  for (const auto& [name, type] : schema.types) {
    Json::List fields;
    for (const LayoutField& field : type.layout.fields) {
      Json one =
          Json::Object().Set("name", field.name).Set("type", field.type).Set("form", field.form);
      if (field.size != 0) one.Set("size", field.size);
      if (!field.since.empty()) one.Set("since", field.since).Set("from", field.since_number);
      if (!field.until.empty()) one.Set("until", field.until).Set("to", field.until_number);
      if (!field.condition.empty()) one.Set("condition", field.condition);
      if (!field.always) one.Set("always", false);
      fields.push_back(std::move(one));
    }
    types.push_back(Json::Object().Set("type", name).Set("fields", std::move(fields)));
  }
  for (const auto& [name, layout] : schema.enums) {
    Json::List values;
    for (const auto& [enumerator, value] : layout.enumerators)
      values.push_back(Json::Object().Set("name", enumerator).Set("value", value));
    enums.push_back(Json::Object()
                        .Set("type", name)
                        .Set("underlying", layout.underlying)
                        .Set("values", std::move(values)));
  }
  return Json::Object()
      .Set("version", 1)
      .Set("revision", at.name)
      .Set("number", at.number)
      .Set("lineage", revctl::LineageText(at.lineage))
      .Set("types", std::move(types))
      .Set("enums", std::move(enums));
}

}  // namespace revctl::harness
