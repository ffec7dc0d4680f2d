#include "revctl/lookup/config_schema.h"

#include <algorithm>

#include "revctl/findings/printable.h"

namespace revctl::commands {

using base::Json;
namespace {

using Kind = config::Key::Kind;

/// YAML parses 1, 0.1 and true as types other than string, but revctl's parsers read them as
/// strings.
Json TextType() { return Json::List{"string", "number", "boolean"}; }
Json TextItem() { return Json::Object().Set("type", TextType()); }
Json TextOrNothing() {
  return Json::Object().Set("type", Json::List{"string", "number", "boolean", "null"});
}

class SchemaWriter {
 public:
  explicit SchemaWriter(const std::vector<config::Key>& keys) : keys_(keys) {}

  Json Section(std::string_view section) const {
    Json properties = Json::Object();
    Json::List required;
    for (const config::Key& key : keys_) {
      if (key.section != section) continue;
      if (key.required) required.push_back(key.name);
      properties.Set(key.name, Property(key));
    }
    return Json::Object()
        .Set("type", "object")
        .Set("properties", std::move(properties))
        .Set("required", std::move(required))
        .Set("additionalProperties", false);
  }

 private:
  Json Property(const config::Key& key) const {
    Json out = Json::Object();
    out.Set("description", key.help);
    switch (key.kind) {
      case Kind::Text:
        if (key.values.empty()) out.Set("type", TextType());
        else out.Set("enum", Values(key.values));
        break;
      case Kind::Texts:
        Items(key, TextItem(), out);
        break;
      case Kind::Map:
        out.Set("allOf", Json::List{Section(key.name)});
        break;
      case Kind::Maps:
        Items(key, Section(key.name), out);
        break;
      case Kind::TextsOrMaps:
        Items(key, Json::Object().Set("anyOf", Json::List{TextItem(), Section(key.name)}), out);
        break;
      case Kind::TextMap:
        out.Set("type", "object").Set("additionalProperties", TextOrNothing());
        break;
    }
    return out;
  }

  static void Items(const config::Key& key, Json items, Json& out) {
    out.Set("type", "array").Set("items", std::move(items));
    if (key.required) out.Set("minItems", 1);
  }

  /// Returns each value as a string, and each number also as a numeric value.
  static Json::List Values(std::string_view values) {
    Json::List out;
    while (!values.empty()) {
      const std::size_t bar = std::min(values.find('|'), values.size());
      const std::string_view value = values.substr(0, bar);
      if (value.find_first_not_of("0123456789") == value.npos)
        out.push_back(std::stoull(std::string(value)));
      out.push_back(value);
      values.remove_prefix(std::min(bar + 1, values.size()));
    }
    return out;
  }

  const std::vector<config::Key>& keys_;
};

}  // namespace

std::string Schema(std::string_view title, const std::vector<config::Key>& keys) {
  return findings::JsonSafe(Json::Object()
                                .Set("$schema", "http://json-schema.org/draft-07/schema#")
                                .Set("title", title)
                                .Set("allOf", Json::List{SchemaWriter(keys).Section("")}));
}

}  // namespace revctl::commands
