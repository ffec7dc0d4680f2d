#pragma once
#include <string>
#include <string_view>

#include <vector>
#include "revctl/generate/definition.h"

namespace revctl::generate {

/// The header: structs, their older versions, the maps between these, bodies, tables of fields,
/// files. The same text for the same definition. `path` names the definition in a comment.
std::string WriteCpp(const Definition& definition, std::string_view path);

/// One ADD (`until` is empty) or REM of a body. A field that stands in consecutive versions with
/// the same name and type, in the same order, is one line; everything else is a line that ends and
/// one that begins.
struct Line {
  std::string name;
  Type type;
  std::string since, until;
  /// With another line that ended: both are visited under this name, each in a block of its own.
  bool shares_name = false;
  /// the field in each version, oldest first; null where the version has no such line
  std::vector<const Field*> in;

  bool Lives() const { return until.empty(); }
  /// The definition that counts: the one of the last version that has the field.
  const Field& field() const;
};

/// In wire order.
std::vector<Line> LinesOf(const Struct& of);

}  // namespace revctl::generate
