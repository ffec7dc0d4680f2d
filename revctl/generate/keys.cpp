#include "revctl/generate/keys.h"

namespace revctl::generate {

const std::vector<config::Key>& Keys() {
  using Kind = config::Key::Kind;
  static const std::vector<config::Key> keys = {
      {"", "version", Kind::Text, "1", true, "of this format"},
      {"", "namespace", Kind::Text, "", true, "of all that is generated"},
      {"", "list", Kind::Text, "", true, "header of the revision list, which is included"},
      {"", "table", Kind::Text, "", false,
       "header of `revctl codegen` (beside the list, its name with .revctl.h)"},
      {"", "includes", Kind::Texts, "", false, "headers that expressions need"},
      {"", "enums", Kind::Maps, "", false, "enums, each before what has fields of it"},
      {"", "structs", Kind::Maps, "", true, "structs, each after those that it holds"},
      {"", "files", Kind::Maps, "", false, "structs that are roots of files"},
      {"enums", "name", Kind::Text, "", true, "in C++"},
      {"enums", "type", Kind::Text,
       "int8_t|uint8_t|int16_t|uint16_t|int32_t|uint32_t|int64_t|uint64_t", true,
       "of each value on disk; it never changes"},
      {"enums", "values", Kind::TextsOrMaps, "", true, "enumerators in their order"},
      {"enums", "about", Kind::Text, "", false, "a comment"},
      {"values", "name", Kind::Text, "", true, "in C++"},
      {"values", "value", Kind::Text, "", false, "its number (one more than the one before)"},
      {"structs", "name", Kind::Text, "", true, "in C++"},
      {"structs", "about", Kind::Text, "", false, "a comment"},
      {"structs", "versions", Kind::Maps, "", true, "oldest first; each lists all its fields"},
      {"versions", "since", Kind::Text, "", true, "revision that began it"},
      {"versions", "fields", Kind::Maps, "", true, "in the order on disk"},
      {"fields", "name", Kind::Text, "", true, "in C++"},
      {"fields", "type", Kind::Text, "", true,
       "bool, int8_t to uint64_t, float, double, string, a name defined above, or vector<T>, "
       "array<T, n>, optional<T>, map<K, V> of those"},
      {"fields", "default", Kind::Text, "", false, "C++: value in a new object"},
      {"fields", "from", Kind::Text, "", false,
       "C++ over `old`: value for objects of the version before"},
      {"fields", "older", Kind::Text, "", false,
       "C++ over `d`: what older builds read once the field is gone"},
      {"fields", "about", Kind::Text, "", false, "a comment"},
      {"fields", "tags", Kind::TextMap, "", false, "for editors of yours; ToText knows NO_PRINT"},
      {"files", "type", Kind::Text, "", true, "name of the struct"},
      {"files", "magic", Kind::Text, "", false, "four characters (RVCT)"},
      {"files", "without_header", Kind::Text, "", false,
       "revision of files that predate the header"},
  };
  return keys;
}

}  // namespace revctl::generate
