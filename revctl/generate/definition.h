#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <algorithm>
#include "revctl/base/result.h"
#include "revctl/config/keys.h"
#include "revctl/generate/integer.h"

// What a definition file says: docs/formats/definition.md. A value; neither YAML nor C++ is known
// here.
namespace revctl::generate {

/// Where something stands in the definition file; from 1.
struct Position {
  int line = 0, column = 0;
};
/// `types.yaml:3:7`
std::string TextOf(std::string_view path, const Position& place);

/// A piece of C++, and where it begins.
struct Code {
  std::string text;
  Position place;
};

/// A type of a field, as parsed: `vector<Note>`.
struct Type {
  std::string name;        ///< `float`, `vector`, or the name of an enum or struct
  std::vector<Type> args;  ///< of `vector<T>`, `array<T, n>`, `optional<T>`, `map<K, V>`
  std::string count;       ///< of an array
};
bool operator==(const Type& a, const Type& b);

struct Tag {
  std::string name;       ///< `RANGE`
  std::string arguments;  ///< `0, 3`; empty for a tag without
};

struct Field {
  std::string name;
  Type type;
  std::optional<Code> fallback;  ///< value in a new object
  std::optional<Code> from;      ///< value for objects of the version before: over `old`
  /// value for older builds, once the field is gone: over `d`, the newest
  std::optional<Code> older;
  std::string about;
  std::vector<Tag> tags;
  Position place, type_place;
};

/// A struct as it is from one revision on.
struct Version {
  std::string since;  ///< an enumerator of the list
  std::vector<Field> fields;
  Position since_place;
};

struct Struct {
  std::string name, about;
  std::vector<Version> versions;  ///< oldest first, at least one
  Position place;
  const Version& newest() const { return versions.back(); }
};

struct Enumerator {
  std::string name;
  Integer value;
  Position place;
};

struct Enum {
  std::string name, type, about;
  std::vector<Enumerator> values;
  Position place;
};

/// A struct that is the root of files.
struct File {
  std::string type;
  std::string magic;           ///< four characters
  std::string without_header;  ///< enumerator: files that predate the header hold the struct as of
                               ///< it; may be empty
  Position without_header_place;
};

struct Definition {
  std::string name_space, list, table;
  std::vector<std::string> includes;
  std::vector<Enum> enums;
  std::vector<Struct> structs;  ///< each after those that it holds
  std::vector<File> files;

  const Struct* FindStruct(std::string_view name) const;
  const Enum* FindEnum(std::string_view name) const;
};

/// Reads and checks a definition. An error names `path`, line and column, what is wrong and what
/// would be right.
base::Result<Definition> ReadDefinition(std::string_view text, std::string_view path);

template <class List>
bool Has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// All keys of a definition file (docs/formats/definition.md).
const std::vector<config::Key>& Keys();

}  // namespace revctl::generate
