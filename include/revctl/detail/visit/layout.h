#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace revctl {

/// One field that a body visits, as recorded in a TypeLayout.
struct LayoutField {
  std::string name;        ///< as spelled in ADD: `p1Score`; empty for a plain `Serialize(r, d.x)`
  std::string type;        ///< canonical wire type (TypeInfo::name): `i32`, `vector<Player>`
  std::uint32_t size = 0;  ///< bytes on the wire; 0 if the size depends on the value
  /// add, rem, rem_member, add_conditional, rem_conditional, base, bits, integrity, plain
  std::string form;
  std::string since;  ///< gate as spelled; empty if there is none
  std::string until;  ///< second gate of a REM as spelled; empty for other fields
  std::int64_t since_number = 0, until_number = 0;
  std::string condition;  ///< condition as spelled; empty if there is none
  std::string fallback;   ///< value of a REM's default: `0`, `"x"`, `{"x":1}`
  bool always = true;     ///< false if the visit depends on a condition or a branch
  // Source location for messages. It is not part of the layout and is neither compared nor stored.
  std::string file;
  int line = 0;
  /// Default of a REM or pointer type of a REM_REF, as spelled. Empty for other fields.
  std::string spelled{};
  bool reference = false;  ///< true if visited by ADD_REF or REM_REF, so that ids are saved
  /// Members of a struct copied byte by byte (BytesWireAs), as written in its declaration:
  /// `Flags{open:1, locked:1, kind:6}`. Empty for other fields or if the declaration is unknown.
  std::string members{};
  bool operator==(const LayoutField&) const = default;
};

/// The visits to one record type at one revision, in order. Nested record types are named, not
/// inlined.
struct TypeLayout {
  std::string type;  ///< the record's TypeInfo::name
  std::vector<LayoutField> fields;
  /// Numbers that this type's own body compares `r.revision` with, ascending.
  std::vector<std::int64_t> compared;
  bool operator==(const TypeLayout&) const = default;
};

/// An enum that a field contains, with its named enumerators, ascending by value.
struct EnumLayout {
  std::string type;
  std::string underlying;  ///< `u8`, `i32` ...
  std::vector<std::pair<std::string, std::int64_t>> enumerators;
  bool operator==(const EnumLayout&) const = default;
};

}  // namespace revctl
