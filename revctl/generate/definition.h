#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "revctl/base/result.h"
#include "revctl/config/keys.h"
#include "revctl/generate/integer.h"

// The content of a definition file (docs/formats/definition.md), independent of YAML and C++.
namespace revctl::generate {

/// A place in the definition file. Line and column are 1-based.
struct Position {
  int line = 0, column = 0;
};
/// Returns the place for a message, such as `types.yaml:3:7`.
std::string TextOf(std::string_view path, const Position& place);

struct Code {
  std::string text;
  Position place;
};

/// A field's parsed type, such as `vector<Note>`.
struct Type {
  std::string name;  ///< `float`, `vector`, or the name of an enum or struct
  std::vector<Type> args;
  std::string count;  ///< length of an `array`; empty for other types
};
bool operator==(const Type& a, const Type& b);

struct Tag {
  std::string name;       ///< such as `RANGE`
  std::string arguments;  ///< text between the parentheses, such as `0, 3`; empty if there are none
};

struct Field {
  std::string name;
  Type type;
  std::optional<Code> fallback;  ///< initial value in a new object; nullopt if none is given
  std::optional<Code> from;      ///< value after an upgrade from the previous version; may use
                                 ///< `old`
  /// Value written for builds from before the field was removed; computed from the newest object
  /// `d`.
  std::optional<Code> older;
  std::string about;
  std::vector<Tag> tags;
  Position place, type_place;
};

/// The fields of a struct as of a revision.
struct Version {
  std::string since;  ///< a revision of the list
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

/// The root struct of a file format.
struct File {
  std::string type;
  std::string magic;  ///< the four characters at the beginning of a file
  /// The revision of files without a header; empty if there are no such files.
  std::string without_header;
  Position without_header_place;
};

struct Definition {
  std::string name_space, list, table;
  std::vector<std::string> includes;
  std::vector<Enum> enums;
  std::vector<Struct> structs;  ///< sorted so that each struct follows the structs that it contains
  std::vector<File> files;

  const Struct* FindStruct(std::string_view name) const;
  const Enum* FindEnum(std::string_view name) const;
};

/// Parses and checks a definition. Errors name `path`, the line and the column, and state the
/// problem and the expected content.
base::Result<Definition> ReadDefinition(std::string_view text, std::string_view path);

template <class List>
bool Has(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

const std::vector<config::Key>& Keys();

}  // namespace revctl::generate
