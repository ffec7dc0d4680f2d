#include "harness/schema/schema_text.h"

#include "golden/scalar_text.h"
#include "revctl/file_header.h"

namespace revctl::harness {

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

namespace {

/// All that is known of a field, on one line: as records have it.
std::string WholeFieldText(const LayoutField& field) {
  std::string text = "{";
  if (!field.name.empty()) text += "name: " + golden::PlainOrQuoted(field.name) + ", ";
  text += "type: " + golden::PlainOrQuoted(field.type);
  if (field.size != 0) text += ", size: " + std::to_string(field.size);
  text += ", form: " + golden::PlainOrQuoted(field.form);
  if (!field.since.empty())
    text += ", since: " + golden::PlainOrQuoted(field.since) +
            ", from: " + std::to_string(field.since_number);
  if (!field.until.empty())
    text += ", until: " + golden::PlainOrQuoted(field.until) +
            ", to: " + std::to_string(field.until_number);
  if (!field.condition.empty()) text += ", condition: " + golden::Quote(field.condition);
  if (!field.always) text += ", always: false";
  return text + "}";
}

}  // namespace

std::string SchemaText(const Schema& schema, const revctl::ListEntry& at) {
  std::string out = "version: 1\nrevision: " + golden::PlainOrQuoted(at.name) +
                    "\nnumber: " + std::to_string(at.number) +
                    "\nlineage: " + golden::Quote(revctl::LineageText(at.lineage)) + "\ntypes:\n";
  for (const auto& [name, type] : schema.types) {
    out += "  " + golden::KeyText(name) + (type.layout.fields.empty() ? ": []\n" : ":\n");
    for (const LayoutField& field : type.layout.fields)
      out += "    - " + WholeFieldText(field) + "\n";
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

std::string SchemaJson(const Schema& schema, const revctl::ListEntry& at) {
  std::string out = "{\"version\":1,\"revision\":" + golden::Quote(at.name) +
                    ",\"number\":" + std::to_string(at.number) +
                    ",\"lineage\":" + golden::Quote(revctl::LineageText(at.lineage)) +
                    ",\n \"types\":[";
  for (const auto& [name, type] : schema.types) {
    out += (out.ends_with('[') ? "\n  " : ",\n  ") + std::string("{\"type\":") +
           golden::Quote(name) + ",\"fields\":[";
    for (const LayoutField& field : type.layout.fields) {
      out += (&field == &type.layout.fields.front() ? "\n    " : ",\n    ") +
             std::string("{\"name\":") + golden::Quote(field.name) +
             ",\"type\":" + golden::Quote(field.type) + ",\"form\":" + golden::Quote(field.form);
      if (field.size != 0) out += ",\"size\":" + std::to_string(field.size);
      if (!field.since.empty())
        out += ",\"since\":" + golden::Quote(field.since) +
               ",\"from\":" + std::to_string(field.since_number);
      if (!field.until.empty())
        out += ",\"until\":" + golden::Quote(field.until) +
               ",\"to\":" + std::to_string(field.until_number);
      if (!field.condition.empty()) out += ",\"condition\":" + golden::Quote(field.condition);
      if (!field.always) out += ",\"always\":false";
      out += "}";
    }
    out += "]}";
  }
  out += "],\n \"enums\":[";
  for (const auto& [name, layout] : schema.enums) {
    out += (out.ends_with('[') ? "\n  " : ",\n  ") + std::string("{\"type\":") +
           golden::Quote(name) + ",\"underlying\":\"" + layout.underlying + "\",\"values\":[";
    for (const auto& entry : layout.enumerators) {
      out += (&entry == &layout.enumerators.front() ? "" : ",") + std::string("{\"name\":") +
             golden::Quote(entry.first) + ",\"value\":" + std::to_string(entry.second) + "}";
    }
    out += "]}";
  }
  return out + "]}\n";
}

}  // namespace revctl::harness
