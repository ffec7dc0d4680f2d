#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "revctl/generate/definition.h"

namespace revctl::generate {

/// Returns the generated header: structs, their older versions, upgrades, bodies, tables of fields,
/// and files. Equal definitions give equal text. `path` names the definition in a comment.
std::string WriteCpp(const Definition& definition, std::string_view path);

/// One ADD (if `until` is empty) or REM of a body. A line covers a field in consecutive versions in
/// which it has the same name, type and order. Any other change ends the line and begins another.
struct Line {
  std::string name;
  Type type;
  std::string since, until;
  /// True if another ended line has the same name, so that each is visited in its own block.
  bool shares_name = false;
  /// The field in each version, oldest first; null if the version does not have it.
  std::vector<const Field*> in;

  bool Lives() const { return until.empty(); }
  /// Returns the field as of the last version that has it. That version determines the field's
  /// properties.
  const Field& field() const;
};

/// Returns the lines in the order in which they are written.
std::vector<Line> LinesOf(const Struct& of);

}  // namespace revctl::generate
