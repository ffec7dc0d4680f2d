#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace revctl {

/// One visit of a body, as recorded: see `TypeLayout`.
struct LayoutField {
  std::string name;        ///< as ADD spells it: `p1Score`; empty for a plain `Serialize(r, d.x)`
  std::string type;        ///< canonical wire type (TypeInfo::name): `i32`, `vector<Player>`
  std::uint32_t size = 0;  ///< wire bytes; 0 where they depend on the value
  std::string form;        ///< add, rem, rem_member, add_conditional, rem_conditional, base, bits,
                           ///< integrity, plain
  std::string since;       ///< gate as spelled; empty where there is none
  std::string until;       ///< second gate of a REM as spelled
  std::int64_t since_number = 0, until_number = 0;
  std::string condition;  ///< text of the condition, empty where there is none
  std::string fallback;   ///< REM's default, as its value (`0`, `"x"`, `{"x":1}`)
  bool always = true;     ///< visited for every value; false where a condition or a branch decides
  // Where the source has it, for messages; not part of the layout, never compared, never stored.
  std::string file;
  int line = 0;
  std::string spelled{};   ///< REM's default as the source spells it; REM_REF's pointer type
  bool reference = false;  ///< visited by ADD_REF or REM_REF: what is saved are ids
  bool operator==(const LayoutField&) const = default;
};

/// What one record type visits at one revision, in order. Parts of other record types are named,
/// not inlined.
struct TypeLayout {
  std::string type;  ///< TypeInfo::name of the record
  std::vector<LayoutField> fields;
  /// numbers that `r.revision` was compared with in this type's own body, ascending
  std::vector<std::int64_t> compared;
  bool operator==(const TypeLayout&) const = default;
};

/// An enum that some field has, with its enumerators by name and value, ascending by value.
struct EnumLayout {
  std::string type;
  std::string underlying;  ///< `u8`, `i32` ...
  std::vector<std::pair<std::string, std::int64_t>> enumerators;
  bool operator==(const EnumLayout&) const = default;
};

}  // namespace revctl
