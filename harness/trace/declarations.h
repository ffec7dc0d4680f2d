#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

// Declarations as spelled in the source. The compiler provides neither the names of a struct's
// members nor the spelling of their types. For example, std::int64_t is `long` on Linux. The
// functions in this file read source files, and return nothing unless exactly one declaration
// matches and it is not inside an `#if`.

struct DeclaredMember {
  std::string name;
  /// tokens of the type, such as `std`, `::`, `vector`, `<`, `long`, `>`
  std::vector<std::string> type;
  /// width of a bit-field as spelled in the source; empty for other members
  std::string bits{};
  int line = 0;
};

struct DeclaredStruct {
  std::string name;  ///< name with its namespaces and classes, such as `game::Door::Flags`
  std::string file;
  int line = 0;
  /// members in the order of their declarations, without static members
  std::vector<DeclaredMember> members;
  /// True if the struct contains something that the parser does not understand, such as `#if`,
  /// bases, or macros that may declare members. The list of members may then be incomplete.
  bool partial = false;
};

/// Returns the struct or class to which `name` refers in the scope `scope` (`game::Door`). Looks in
/// `file` and in the files that it includes. Returns nullopt if the meaning is not certain.
std::optional<DeclaredStruct> FindStruct(const std::string& name, const std::string& scope,
                                         const std::string& file);

/// Returns the struct that a body serializes: the struct of its SERIALIZE_TYPE, or the class that
/// contains the body. Returns nullopt if it is not certain.
std::optional<DeclaredStruct> StructOfBody(const TypeTrace& body);

/// Returns a member's type with aliases such as `using Count = std::size_t;` replaced by their
/// meaning, as far as it is certain.
std::vector<std::string> WithoutAliases(const DeclaredMember& member, const DeclaredStruct& owner);

/// Sets LayoutField::members of the trace's fields that are structs copied byte by byte. Leaves it
/// empty if the struct's declaration is not certain.
void AddMembers(TypeTrace& trace);

}  // namespace revctl::harness
