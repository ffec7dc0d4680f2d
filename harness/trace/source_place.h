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

/// Returns the place where a field that is no longer visited would be: the visit of the closest
/// recorded field before it that the body still has, or else of the closest field after it.
/// `recorded` must point into `fields`.
SourcePlace NearestVisit(const std::vector<revctl::LayoutField>& fields,
                         const revctl::LayoutField* recorded, const TypeTrace& now);

/// Returns the macro that visits the field at the end of `path` (`players[1].name`, below `root`),
/// given today's layouts by type name. If the path ends in no field, such as at a header of an
/// object stream, returns the innermost field around it.
SourcePlace FieldPlace(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                       std::string_view path);

/// Returns the field that `path` leads to, or null if it leads to none or into a container.
const revctl::LayoutField* FieldAt(const std::map<std::string, TypeTrace>& layouts,
                                   const std::string& root, std::string_view path);

/// The lines of a body in its source; empty if the source cannot be read, or if no macro shows
/// where the body is.
struct BodyText {
  std::string file;
  int line = 0;  ///< number of the first line
  std::string text;
};
BodyText TextOfBody(const TypeTrace& body);

/// The ways in which a comparison in code may spell a revision: its name or its number.
struct RevisionSpelling {
  std::string name;
  std::int64_t number = 0;
};
/// Returns the line of a body that compares `revision` with one of the spellings, trying them in
/// order; else a line that mentions one (a gate); else the body's first visit. Reads one file, so
/// use it only for messages.
SourcePlace ComparisonPlace(const TypeTrace& body, const std::vector<RevisionSpelling>& spellings);

/// A condition of a body that reads neither the object nor the archive: `networkmode`.
struct ProgramCondition {
  std::string text;  ///< empty if there is none
  SourcePlace place{};
};
/// Returns the first `if` of a body whose condition reads only global state of the program, as far
/// as the text of the source shows it. Reads one file, so use it only for messages.
ProgramCondition FindProgramCondition(const TypeTrace& body);

/// True if a condition of the body, as its macro spells it, reads only global state of the program:
/// it mentions neither `d` nor `r`, no field and no local variable of the body. Reads one file.
bool ReadsProgramOnly(const TypeTrace& body, const std::string& condition);

/// Returns the place where an enum is declared, as far as the text of the source shows it; else the
/// visit itself, which names a field with the enum. `visit.file` must be a readable path. Reads one
/// file, so use it only for messages.
SourcePlace EnumDeclaration(const std::string& type, const SourcePlace& visit);

/// True if a canonical wire type is or contains the type `name`: `vector<game::Color>` contains
/// `game::Color`.
bool Mentions(const std::string& wire, const std::string& name);

}  // namespace revctl::harness
