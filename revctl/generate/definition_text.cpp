#include "revctl/generate/definition_text.h"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <cstdint>

#include "revctl/base/unicode.h"
#include "revctl/config/yaml_text.h"
#include "revctl/generate/definition.h"

namespace revctl::generate {

Position PlaceOf(const YAML::Mark& mark) {
  return mark.is_null() ? Position{1, 1} : Position{mark.line + 1, mark.column + 1};
}
Position PlaceIn(const YAML::Node& node, std::size_t at) {
  Position place = PlaceOf(node.Mark());
  place.column += static_cast<int>(at) + (node.Tag() == "!" ? 1 : 0);
  return place;
}
void Refuse(const YAML::Node& node, std::string message, std::string fix) {
  throw Bad{PlaceOf(node.Mark()), std::move(message), std::move(fix)};
}
std::string Quoted(std::string_view text) {
  return fmt::format("'{}{}", text.substr(0, 60), text.size() > 60 ? "...'" : "'");
}

std::string Scalar(const YAML::Node& node, std::string_view what) {
  if (!node.IsScalar())
    Refuse(node, std::string(what) + " must be a single value", std::string(what) + ": value");
  for (const char c : node.Scalar()) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      Refuse(node, std::string(what) + " must be one line of text", "write it on one line");
  }
  // A comment may be broken at any blank, so a backslash could end up at the end of a line.
  const std::string& text = node.Scalar();
  for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at + 1)) {
    if (at + 1 == text.size())
      Refuse(node,
             std::string(what) +
                 " ends with a backslash, which would join two lines of generated code",
             "remove it");
    if (text[at + 1] == ' ')
      Refuse(node,
             std::string(what) +
                 " has a backslash before a space, which might join two lines of generated code",
             "remove it");
  }
  if (text.find("?\?/") != std::string::npos)
    Refuse(node, std::string(what) + " contains ?\?/, which some compilers read as a backslash",
           "split it");
  return node.Scalar();
}

void CheckKeys(const YAML::Node& map, std::string_view what, std::string_view section) {
  if (!map.IsMap())
    Refuse(map, std::string(what) + " must be key-value pairs (key: value)", std::string(kPage));
  config::CheckKeys(map, what, config::NamesIn(Keys(), section));
}

YAML::Node Sequence(const YAML::Node& map, const char* key) {
  const YAML::Node list = map[key];
  if (list && !list.IsSequence())
    Refuse(list, std::string(key) + " must be a list",
           std::string(key) + ": [...], or lines that begin with -");
  return list;
}

namespace {

bool TurnsWriting(std::uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

}  // namespace

std::optional<Bad> WrongWithText(std::string_view text) {
  Position place{1, 1};
  bool began = false, ended = false;
  for (std::size_t at = 0; at < text.size();) {
    if (place.column == 1) {
      const std::string_view line =
          text.substr(at, std::min(text.find_first_of("\r\n", at), text.size()) - at);
      const bool begins = line == "---" || line.starts_with("--- ");
      const bool empty = line.starts_with('#') || line.starts_with('%') ||
                         line.find_first_not_of(' ') == std::string_view::npos;
      const bool ends = line == "..." || line.starts_with("... ");
      if ((begins && began) || (ended && !empty && !ends))
        return Bad{place, "a second YAML document", "put each definition into its own file"};
      ended = ended || ends;
      began = began || !(begins || ends || empty);
    }
    const auto character = base::CharacterAt(text, at);
    if (!character) return Bad{place, "invalid UTF-8", "save the file as UTF-8"};
    const std::uint32_t code = character->code;
    if (code == 0x7F || (code < 0x20 && code != '\n' && code != '\r' && code != '\t')) {
      return Bad{place, "a control character", "save the file as UTF-8"};
    }
    if (TurnsWriting(code)) return Bad{place, "a bidirectional control character", "remove it"};
    if (code == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
    at += character->length;
  }
  return std::nullopt;
}

const std::vector<config::Key>& Keys() {
  using Kind = config::Key::Kind;
  static const std::vector<config::Key> keys = {
      {"", "version", Kind::Text, "1", true, "version of this format"},
      {"", "namespace", Kind::Text, "", true, "namespace of the generated code"},
      {"", "list", Kind::Text, "", true,
       "header of the revision list, which the generated code includes"},
      {"", "table", Kind::Text, "", false,
       "header written by `revctl codegen` (default: next to the list, with the same name and the "
       "extension .revctl.h)"},
      {"", "includes", Kind::Texts, "", false, "headers that the expressions need"},
      {"", "enums", Kind::Maps, "", false, "enums; define each before the structs that use it"},
      {"", "structs", Kind::Maps, "", true,
       "structs; define each after the structs that it contains"},
      {"", "files", Kind::Maps, "", false, "structs that are stored as whole files"},
      {"enums", "name", Kind::Text, "", true, "in C++"},
      {"enums", "type", Kind::Text,
       "int8_t|uint8_t|int16_t|uint16_t|int32_t|uint32_t|int64_t|uint64_t", true,
       "integer type on disk; it can never change"},
      {"enums", "values", Kind::TextsOrMaps, "", true, "enumerators, in order"},
      {"enums", "about", Kind::Text, "", false, "a comment"},
      {"values", "name", Kind::Text, "", true, "in C++"},
      {"values", "value", Kind::Text, "", false, "an integer (default: the previous value plus 1)"},
      {"structs", "name", Kind::Text, "", true, "in C++"},
      {"structs", "about", Kind::Text, "", false, "a comment"},
      {"structs", "versions", Kind::Maps, "", true,
       "oldest first; each version lists all its fields"},
      {"versions", "since", Kind::Text, "", true, "first revision of this version"},
      {"versions", "fields", Kind::Maps, "", true,
       "fields, in the order in which they are written"},
      {"fields", "name", Kind::Text, "", true, "in C++"},
      {"fields", "type", Kind::Text, "", true,
       "bool, int8_t to uint64_t, float, double, string, a type defined above, or vector<T>, "
       "array<T, n>, optional<T>, map<K, V> of these"},
      {"fields", "default", Kind::Text, "", false, "C++ expression: initial value in a new object"},
      {"fields", "from", Kind::Text, "", false,
       "value for objects of the previous version: a C++ expression that may use `old`"},
      {"fields", "older", Kind::Text, "", false,
       "C++ expression with `d`: value written into files for older builds after the field is "
       "removed"},
      {"fields", "about", Kind::Text, "", false, "a comment"},
      {"fields", "tags", Kind::TextMap, "", false,
       "tags for your own tools; ToText recognizes NO_PRINT"},
      {"files", "type", Kind::Text, "", true, "name of the struct"},
      {"files", "magic", Kind::Text, "", false, "four characters (default: RVCT)"},
      {"files", "without_header", Kind::Text, "", false,
       "revision of files written before the header was introduced"},
  };
  return keys;
}

}  // namespace revctl::generate
