#pragma once
#include <string_view>
#include <vector>

namespace revctl::config {

/// One key of a file in YAML. The parser takes known keys from a table of these; the JSON schema
/// that editors read is made from the same table.
struct Key {
  /// Texts, Maps: a list of them. TextsOrMaps: each of the list is one or the other. TextMap: any
  /// keys, each with a text or nothing.
  enum class Kind { Text, Texts, Map, Maps, TextsOrMaps, TextMap };
  std::string_view section;  ///< the key that it stands below, "lists"; empty: the file itself
  std::string_view name;
  Kind kind = Kind::Text;
  std::string_view values;  ///< "required|optional"; empty: any
  bool required = false;
  std::string_view help;  ///< a phrase
};

/// All keys of `.revctl.yaml`, each section in the order that people write them in.
const std::vector<Key>& Keys();

/// The names of a section's keys, in the order of the table.
std::vector<std::string_view> NamesIn(const std::vector<Key>& keys, std::string_view section);

}  // namespace revctl::config
