#pragma once
#include <string_view>
#include <vector>

namespace revctl::config {

/// One key of `.revctl.yaml`. The parser takes known keys from this table; the JSON schema that
/// editors read is made from it.
struct Key {
  enum class Kind { Text, Texts, Map, Maps };  ///< Texts, Maps: a list of them
  std::string_view section;                    ///< where it stands: "", "lists", "land", "allow"
  std::string_view name;
  Kind kind = Kind::Text;
  std::string_view values;  ///< "required|optional"; empty: any
  bool required = false;
  std::string_view help;  ///< a phrase
};

/// All keys, each section in the order that people write them in.
const std::vector<Key>& Keys();

}  // namespace revctl::config
