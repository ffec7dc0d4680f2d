#include "revctl/commands/schema.h"

#include <algorithm>

#include "revctl/findings/json_text.h"

namespace revctl::commands {

using findings::JsonArray;
using findings::JsonObject;
using findings::JsonString;
namespace {

using Kind = config::Key::Kind;

/// YAML takes 1, 0.1 or true for no text; the parsers read them as they are written.
constexpr std::string_view kText = R"(["string","number","boolean"])";
constexpr std::string_view kTextOrNothing = R"({"type":["string","number","boolean","null"]})";

std::string TextItem() { return JsonObject().Raw("type", kText).str(); }

class SchemaWriter {
 public:
  explicit SchemaWriter(const std::vector<config::Key>& keys) : keys_(keys) {}

  std::string Section(std::string_view section) const {
    JsonObject properties;
    std::vector<std::string> required;
    for (const config::Key& key : keys_) {
      if (key.section != section) continue;
      if (key.required) required.push_back(JsonString(key.name));
      properties.Raw(key.name, Property(key));
    }
    return JsonObject()
        .Text("type", "object")
        .Raw("properties", properties.str())
        .Raw("required", JsonArray(required))
        .Flag("additionalProperties", false)
        .str();
  }

 private:
  std::string Property(const config::Key& key) const {
    JsonObject out;
    out.Text("description", key.help);
    switch (key.kind) {
      case Kind::Text:
        if (key.values.empty()) out.Raw("type", kText);
        else out.Raw("enum", JsonArray(Values(key.values)));
        break;
      case Kind::Texts:
        Items(key, TextItem(), out);
        break;
      case Kind::Map:
        out.Raw("allOf", JsonArray({Section(key.name)}));
        break;
      case Kind::Maps:
        Items(key, Section(key.name), out);
        break;
      case Kind::TextsOrMaps:
        Items(key, JsonObject().Raw("anyOf", JsonArray({TextItem(), Section(key.name)})).str(),
              out);
        break;
      case Kind::TextMap:
        out.Text("type", "object").Raw("additionalProperties", kTextOrNothing);
        break;
    }
    return out.str();
  }

  static void Items(const config::Key& key, const std::string& items, JsonObject& out) {
    out.Text("type", "array").Raw("items", items);
    if (key.required) out.Number("minItems", 1);
  }

  /// Each as text; a number as number, too.
  static std::vector<std::string> Values(std::string_view values) {
    std::vector<std::string> out;
    while (!values.empty()) {
      const std::size_t bar = std::min(values.find('|'), values.size());
      const std::string_view value = values.substr(0, bar);
      if (value.find_first_not_of("0123456789") == value.npos) out.emplace_back(value);
      out.push_back(JsonString(value));
      values.remove_prefix(std::min(bar + 1, values.size()));
    }
    return out;
  }

  const std::vector<config::Key>& keys_;
};

}  // namespace

std::string Schema(std::string_view title, const std::vector<config::Key>& keys) {
  return JsonObject()
             .Text("$schema", "http://json-schema.org/draft-07/schema#")
             .Text("title", title)
             .Raw("allOf", JsonArray({SchemaWriter(keys).Section("")}))
             .str() +
         "\n";
}

}  // namespace revctl::commands
