#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

// These functions read source files to find declarations as they are spelled there, because the
// compiler provides neither the names of a struct's members nor the spelling of their types
// (std::int64_t is `long` on Linux). They return nothing unless exactly one declaration matches and
// it is not inside an `#if`.

struct DeclaredMember {
  std::string name;
  /// the tokens that spell the type, such as `std`, `::`, `vector`, `<`, `long`, `>`
  std::vector<std::string> type;
  /// width of a bit-field as spelled in the source; empty for other members
  std::string bits{};
  int line = 0;
};

struct DeclaredStruct {
  std::string name;  ///< name with its namespaces and classes, such as `game::Door::Flags`
  std::string file;
  int line = 0;
  /// non-static members in declaration order
  std::vector<DeclaredMember> members;
  /// True if `members` may be incomplete because of something that the parser does not understand,
  /// such as `#if`, bases, or macros that may declare members.
  bool partial = false;
};

/// Returns the struct or class that `name` refers to in `scope` (`game::Door`), or nullopt if that
/// is uncertain. Looks in `file` and the files that it includes.
std::optional<DeclaredStruct> FindStruct(const std::string& name, const std::string& scope,
                                         const std::string& file);

/// Returns the struct that a body serializes: the struct of its SERIALIZE_TYPE, or the class that
/// contains the body. Returns nullopt if that is uncertain.
std::optional<DeclaredStruct> StructOfBody(const TypeTrace& body);

/// Returns a member's type with all known aliases resolved, such as `using Count = std::size_t;`.
std::vector<std::string> WithoutAliases(const DeclaredMember& member, const DeclaredStruct& owner);

/// Sets LayoutField::members of fields that are structs copied byte by byte. Leaves `members` empty
/// if the struct's declaration is uncertain.
void AddMembers(TypeTrace& trace);

}  // namespace revctl::harness
