#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

/// A place in a source; line 0 where it is not known.
struct SourcePlace {
  std::string file;
  int line = 0;
};

/// Where a field that is not visited any more would stand: at the visit of the nearest field before
/// it in the recorded order, or behind it where there is none before, that today's body still has.
/// `recorded` is an element of `fields`.
SourcePlace NearestVisit(const std::vector<revctl::LayoutField>& fields,
                         const revctl::LayoutField* recorded, const TypeTrace& now);

/// The macro that visits the field at the end of `path` (`players[1].name`, below `root`), among
/// today's layouts by type name; that of the innermost field around it where the way ends earlier
/// (what an object stream says of itself stands in no body).
SourcePlace FieldPlace(const std::map<std::string, TypeTrace>& layouts, const std::string& root,
                       std::string_view path);

/// That field itself; null where the way ends earlier, or within a container of the field's.
const revctl::LayoutField* FieldAt(const std::map<std::string, TypeTrace>& layouts,
                                   const std::string& root, std::string_view path);

/// What a comparison with the revision may hold.
struct RevisionSpelling {
  std::string name;
  std::int64_t number = 0;
};
/// Where a body asks for a revision: the line of it that says `revision` and one of the spellings,
/// the first of these that any line has; else one that names it (a gate); else the body's first
/// visit. For messages: costs reading one file.
SourcePlace ComparisonPlace(const TypeTrace& body, const std::vector<RevisionSpelling>& spellings);

/// Where an enum is declared, as far as reading the source's text tells; else the visit itself,
/// which names a field that has it. `visit.file` must be readable from here. For messages: costs
/// reading one file.
SourcePlace EnumDeclaration(const std::string& type, const SourcePlace& visit);

/// Whether a canonical wire type is or holds the type called `name`: `vector<game::Color>` holds
/// `game::Color`.
bool Mentions(const std::string& wire, const std::string& name);

}  // namespace revctl::harness
