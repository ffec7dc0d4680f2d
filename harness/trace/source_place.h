#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

/// A place in a source file; `line` is 0 if the place is unknown.
struct SourcePlace {
  std::string file;
  int line = 0;
};

/// Returns the place where a field that is no longer visited used to be. This is the visit of the
/// closest recorded field before it that the body still visits, or else of the closest such field
/// after it, or else the body's first visit. `recorded` must point into `fields`.
SourcePlace NearestVisit(const std::vector<revctl::LayoutField>& fields,
                         const revctl::LayoutField* recorded, const TypeTrace& now);

/// Returns the macro that visits the field at the end of `path` (`players[1].name`, below `root`).
/// `layouts` contains the current layouts by type name. If the path does not end at a field, for
/// example because it ends in the header of an object stream, returns the innermost field that
/// contains its end.
SourcePlace FieldPlace(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                       std::string_view path);

/// Returns the field to which `path` leads, or null if the path leads to no field or into a
/// container.
const revctl::LayoutField* FieldAt(const std::map<std::string, TypeTrace>& layouts,
                                   const std::string& root, std::string_view path);

/// The source lines of a body. Empty if the source cannot be read, or if no macro reveals where the
/// body is.
struct BodyText {
  std::string file;
  int line = 0;  ///< line number of the first line
  std::string text;
};
BodyText TextOfBody(const TypeTrace& body);

/// The two ways to spell a revision in a comparison: by name or by number.
struct RevisionSpelling {
  std::string name;
  std::int64_t number = 0;
};
/// Returns the line of a body that compares the revision with one of the spellings, which are tried
/// in order. If there is no such line, returns a line that mentions a spelling (a gate), or else
/// the body's first visit. Use this only for messages, because it reads a file.
SourcePlace ComparisonPlace(const TypeTrace& body, const std::vector<RevisionSpelling>& spellings);

/// A condition in a body that depends neither on the object nor on the archive, such as
/// `networkmode`.
struct ProgramCondition {
  std::string text;  ///< source text of the condition; empty if the body contains none
  SourcePlace place{};
};
/// Returns the first `if` of a body whose condition depends only on the state of the running
/// program, as far as the source text shows. Use this only for messages, because it reads a file.
ProgramCondition FindProgramCondition(const TypeTrace& body);

/// True if a condition of the body depends only on the state of the running program, because it
/// mentions neither `d` nor `r`, and no field or local variable of the body. `condition` is spelled
/// as in the macro. Reads a file.
bool ReadsProgramOnly(const TypeTrace& body, const std::string& condition);

/// Returns where an enum is declared, as far as the source text shows. Otherwise returns `visit`,
/// which is the place of a field with this enum. `visit.file` must be readable from the current
/// folder. Use this only for messages, because it reads a file.
SourcePlace EnumDeclaration(const std::string& type, const SourcePlace& visit);

/// True if a canonical wire type is or contains the type `name`. For example, `vector<game::Color>`
/// contains `game::Color`.
bool Mentions(const std::string& wire, const std::string& name);

/// Returns a line of a file without the blanks around it, cut after 100 characters. Returns "" if
/// it cannot be read.
std::string LineAt(const std::string& file, int number);

}  // namespace revctl::harness
