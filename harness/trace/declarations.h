#pragma once
#include <optional>
#include <string>
#include <vector>

#include "harness/layout/layout_diff.h"

namespace revctl::harness {

// Declarations as the source spells them. The compiler keeps neither the names of a struct's
// members nor the spelling of their types: std::int64_t is `long` on Linux. All functions here read
// source files, and return nothing unless exactly one declaration outside `#if` fits.

struct DeclaredMember {
  std::string name;
  std::vector<std::string> type;  ///< tokens: `std`, `::`, `vector`, `<`, `long`, `>`
  /// width of a bit-field as spelled in the source; empty for other members
  std::string bits{};
  int line = 0;
};

struct DeclaredStruct {
  std::string name;  ///< with its namespaces and classes: `game::Door::Flags`
  std::string file;
  int line = 0;
  std::vector<DeclaredMember> members;  ///< in order, without static members
  /// True if the struct's text contains something that the parser does not understand, such as
  /// `#if`, bases, or macros that may declare members.
  bool partial = false;
};

/// Returns the struct or class that code in the scope `scope` (`game::Door`) means by `name`. Looks
/// in `file` and in the files that it includes. Returns nullopt if the meaning is not certain.
std::optional<DeclaredStruct> FindStruct(const std::string& name, const std::string& scope,
                                         const std::string& file);

/// Returns the struct that a body serializes: the struct of its SERIALIZE_TYPE, or the class around
/// the body.
std::optional<DeclaredStruct> StructOfBody(const TypeTrace& body);

/// Returns a member's type with aliases (`using Count = std::size_t;`) replaced by their meaning,
/// as far as it is certain.
std::vector<std::string> WithoutAliases(const DeclaredMember& member, const DeclaredStruct& owner);

/// Sets LayoutField::members for the trace's fields whose struct is copied byte by byte, if the
/// struct's declaration is certain.
void AddMembers(TypeTrace& trace);

}  // namespace revctl::harness
