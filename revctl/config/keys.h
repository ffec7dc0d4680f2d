#pragma once
#include <string_view>
#include <vector>

namespace revctl::config {

/// A key of a YAML file. The parser accepts only keys that are in such a table, and the JSON schema
/// for editors is generated from the table.
struct Key {
  /// The type of a key's value. Texts is a list of strings, Maps is a list of maps, and TextsOrMaps
  /// is a list that may mix both. TextMap maps arbitrary keys to a string or null.
  enum class Kind { Text, Texts, Map, Maps, TextsOrMaps, TextMap };
  std::string_view section;  ///< the enclosing key, such as "lists"; empty at the top level
  std::string_view name;
  Kind kind = Kind::Text;
  std::string_view values;  ///< allowed values, as in "required|optional"; empty: any
  bool required = false;
  std::string_view help;
};

/// Returns all keys of `.revctl.yaml`, in the usual order within each section.
const std::vector<Key>& Keys();

std::vector<std::string_view> NamesIn(const std::vector<Key>& keys, std::string_view section);

}  // namespace revctl::config
