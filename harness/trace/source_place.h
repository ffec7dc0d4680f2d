#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

/// A place in a source file; line 0 if unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
};

/// Returns where a field that is no longer visited would be: at the closest recorded field before
/// it that the body still visits, or else at the closest such field after it. `recorded` must point
/// into `fields`.
SourcePlace NearestVisit(const std::vector<revctl::LayoutField>& fields,
                         const revctl::LayoutField* recorded, const TypeTrace& now);

/// Returns the macro that visits the field at the end of `path` (`players[1].name`, below `root`).
/// `layouts` are today's layouts by type name. If the path does not end in a field, for example at
/// a header of an object stream, returns the innermost field around its end.
SourcePlace FieldPlace(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                       std::string_view path);

/// Returns the field to which `path` leads, or null if the path leads to no field or into a
/// container.
const revctl::LayoutField* FieldAt(const std::map<std::string, TypeTrace>& layouts,
                                   const std::string& root, std::string_view path);

/// The lines of a body in its source. Empty if the source cannot be read, or if no macro reveals
/// where the body is.
struct BodyText {
  std::string file;
  int line = 0;  ///< number of the first line
  std::string text;
};
BodyText TextOfBody(const TypeTrace& body);

/// The two ways in which code may spell a revision in a comparison: by name or by number.
struct RevisionSpelling {
  std::string name;
  std::int64_t number = 0;
};
/// Returns the line of a body that compares `revision` with one of the spellings, which are tried
/// in order. If there is no such line, returns a line that mentions a spelling (a gate), or else
/// the body's first visit. Reads one file, so use it only for messages.
SourcePlace ComparisonPlace(const TypeTrace& body, const std::vector<RevisionSpelling>& spellings);

/// A condition in a body that reads neither the object nor the archive, such as `networkmode`.
struct ProgramCondition {
  std::string text;  ///< empty if there is none
  SourcePlace place{};
};
/// Returns the first `if` of a body whose condition depends only on the running program's state, as
/// far as the text of the source shows. Reads one file, so use it only for messages.
ProgramCondition FindProgramCondition(const TypeTrace& body);

/// True if a condition of the body, as its macro spells it, depends only on the running program's
/// state: the condition mentions neither `d` nor `r`, and no field or local of the body. Reads one
/// file.
bool ReadsProgramOnly(const TypeTrace& body, const std::string& condition);

/// Returns where an enum is declared, as far as the text of the source shows. Otherwise returns the
/// visit itself, which names a field of the enum. `visit.file` must be readable from the current
/// folder. Reads one file, so use it only for messages.
SourcePlace EnumDeclaration(const std::string& type, const SourcePlace& visit);

/// True if a canonical wire type is the type `name` or contains it: `vector<game::Color>` contains
/// `game::Color`.
bool Mentions(const std::string& wire, const std::string& name);

}  // namespace revctl::harness
