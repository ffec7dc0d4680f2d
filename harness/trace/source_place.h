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

/// Returns the approximate place of a removed field: the closest recorded field before it that the
/// body still visits, or else the closest such field after it, or else the body's first visit.
/// `recorded` must point into `fields`.
SourcePlace NearestVisit(const std::vector<revctl::LayoutField>& fields,
                         const revctl::LayoutField* recorded, const TypeTrace& now);

/// Returns the macro that visits the field at `path` (`players[1].name`, below `root`). If the path
/// does not end at a field, for example in the header of an object stream, returns the innermost
/// field that contains its end. `layouts` contains the current layouts by type name.
SourcePlace FieldPlace(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                       std::string_view path);

/// Returns the field at `path`, or null if the path does not lead to a field or leads into a
/// container.
const revctl::LayoutField* FieldAt(const std::map<std::string, TypeTrace>& layouts,
                                   const std::string& root, std::string_view path);

/// The first and the last line that a body visits. Only visits in the file of the first visit
/// count. `file` is empty if no visit has a place in the source.
struct VisitedLines {
  std::string file;
  int first = 0, last = 0;
};
VisitedLines LinesVisited(const TypeTrace& body);

/// The source lines of a body. Empty if they cannot be found or read.
struct BodyText {
  std::string file;
  int line = 0;  ///< line number of the first line
  std::string text;
};
BodyText TextOfBody(const TypeTrace& body);

/// Two ways to spell a revision in a comparison: by name or by number.
struct RevisionSpelling {
  std::string name;
  std::int64_t number = 0;
};
/// Returns the line of a body that compares the revision with one of the spellings, trying them in
/// order. If there is none, returns a line that mentions a spelling (a gate), or else the body's
/// first visit. Use this only for messages, because it reads a file.
SourcePlace ComparisonPlace(const TypeTrace& body, const std::vector<RevisionSpelling>& spellings);

/// A condition in a body that depends neither on the object nor on the archive, such as
/// `networkmode`.
struct ProgramCondition {
  std::string text;  ///< source text of the condition; empty if the body contains none
  SourcePlace place{};
};
/// Returns the first `if` of a body whose condition, judging by the source text, depends only on
/// the state of the running program. Use this only for messages, because it reads a file.
ProgramCondition FindProgramCondition(const TypeTrace& body);

/// True if a condition of the body depends only on the state of the running program: the condition
/// mentions neither `d` nor `r`, nor any field or local variable of the body. `condition` is
/// spelled as in the macro. Use this only for messages, because it reads a file.
bool ReadsProgramOnly(const TypeTrace& body, const std::string& condition);

/// Returns the declaration of an enum in `visit.file`. `visit` is the place of a field with this
/// enum, and is returned if the file does not contain the declaration. Use this only for messages,
/// because it reads the file.
SourcePlace EnumDeclaration(const std::string& type, const SourcePlace& visit);

/// True if a canonical wire type is or contains `name`. For example, `vector<game::Color>` contains
/// `game::Color`.
bool Mentions(const std::string& wire, const std::string& name);

/// Returns a line of a file, trimmed and cut after 100 characters, or "" if it cannot be read.
std::string LineAt(const std::string& file, int number);

}  // namespace revctl::harness
