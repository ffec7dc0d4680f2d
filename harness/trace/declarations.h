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
  std::string bits{};             ///< width of a bit-field as spelled, else empty
  int line = 0;
};

struct DeclaredStruct {
  std::string name;  ///< with its namespaces and classes: `game::Door::Flags`
  std::string file;
  int line = 0;
  std::vector<DeclaredMember> members;  ///< without static members, in order
  /// The text contains constructs that are not parsed, such as `#if`, bases, or macros that may
  /// declare members.
  bool partial = false;
};

/// Returns the struct or class `name`, as code in the scope `scope` (`game::Door`) means it, from
/// `file` or from the files that it includes. nullopt if that is not certain.
std::optional<DeclaredStruct> FindStruct(const std::string& name, const std::string& scope,
                                         const std::string& file);

/// Returns the struct that a body serializes: that of its SERIALIZE_TYPE, or the class around it.
std::optional<DeclaredStruct> StructOfBody(const TypeTrace& body);

/// Replaces aliases (`using Count = std::size_t;`) in a member's type by their meaning, as far as
/// they are certain.
std::vector<std::string> WithoutAliases(const DeclaredMember& member, const DeclaredStruct& owner);

/// Sets LayoutField::members of the trace's fields whose struct is copied byte by byte, as far as
/// its declaration is certain.
void AddMembers(TypeTrace& trace);

}  // namespace revctl::harness
