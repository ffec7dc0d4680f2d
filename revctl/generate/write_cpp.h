#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/generate/definition.h"

namespace revctl::generate {

/// Returns the generated header: structs, their older versions, upgrades, bodies, tables of fields,
/// and files. Equal definitions yield equal text. A comment in the header names `path` as its
/// source.
std::string WriteCpp(const Definition& definition, std::string_view path);

/// An ADD (if `until` is empty) or a REM in a body. A line covers consecutive versions in which a
/// field has the same name, type and order. Any other change ends the line and begins a new line.
struct Line {
  std::string name;
  Type type;
  std::string since, until;
  /// True if this line and another line with the same name have both ended. Each of them is then
  /// visited in its own block.
  bool shares_name = false;
  /// The field in each version, oldest first; null for versions that do not have the field.
  std::vector<const Field*> in;

  bool Lives() const { return until.empty(); }
  /// Returns the field in the last version that has it, which determines the field's properties.
  const Field& field() const;
};

/// Returns the lines in the order in which they are written.
std::vector<Line> LinesOf(const Struct& of);

}  // namespace revctl::generate
