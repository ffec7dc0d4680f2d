#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

namespace revctl {

/// Names a type in an argument: `RevctlBody(Tag<T>)` is found in T's namespace, and never converts
/// from a derived class.
template <class T>
struct Tag {};

class AnyArchive;

/// What a type is on the wire. One per C++ type, see `TypeInfo`.
enum class Kind : std::uint8_t {
  Bool,
  I8,
  I16,
  I32,
  I64,
  U8,
  U16,
  U32,
  U64,
  F32,
  F64,
  Enum,      ///< underlying integer; `underlying` says which
  String,    ///< u32 count, bytes
  Record,    ///< a type with a Serialize of its own
  Array,     ///< fixed number of elements, no count
  Sequence,  ///< vector: u32 count, elements
  Optional,  ///< u8 flag, element
  Pointer,   ///< unique_ptr: u8 flag, element (or, for a polymorphic one, see serialize.h)
  Map,       ///< u32 count, key and value in key order
  Set,       ///< u32 count, keys in order
  Tuple,     ///< pair and tuple: members one after another
  Variant,   ///< u8 index, the alternative
  Bitset,    ///< (N + 7) / 8 bytes
};

namespace detail {

/// Wire name of a number: `i32`; empty for all other kinds.
inline const char* NumberName(Kind kind) {
  constexpr const char* kNames[] = {"bool", "i8",  "i16", "i32", "i64", "u8",
                                    "u16",  "u32", "u64", "f32", "f64"};
  return kind <= Kind::F64 ? kNames[static_cast<std::size_t>(kind)] : "";
}

/// Bytes of a number; 4 for all other kinds: a count.
inline std::size_t ScalarSize(Kind kind) {
  constexpr std::uint8_t kSizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return kind <= Kind::F64 ? kSizes[static_cast<std::size_t>(kind)] : 4;
}

}  // namespace detail

/// The enumerators that the compiler can spell, for kinds Enum: see `TypeInfo::enumerator`.
struct Enumerator {
  const char* name;  ///< unqualified, static storage; null where `value` has no name
  std::int64_t value;
};

/// Describes one C++ type to archives that are not templates. Static storage; compare by address.
/// Everything but `visit`, `construct` and `destroy` is about the type, never about a value.
struct TypeInfo {
  Kind kind;
  Kind underlying;        ///< wire kind of an Enum, else equal to `kind`
  std::size_t size;       ///< sizeof(T), bytes
  std::size_t alignment;  ///< alignof(T), bytes
  std::size_t cost;   ///< bytes of memory for one more element of a container; 0 where elements are
                      ///< no memory of their own
  std::size_t count;  ///< elements of an Array, members of a Tuple, alternatives of a Variant, bits
                      ///< of a Bitset; else 0

  /// Canonical wire type, the same for every compiler: `i32`, `string`, `vector<f32>`,
  /// `array<u8,4>`, `optional<Player>`, `map<string,i32>`, `variant<A,B>`, `bitset<12>`,
  /// `unique_ptr<Node>`; records and enums by qualified name (`game::Score`).
  std::string (*name)();

  /// Part `i`: the element of a container, key (0) and value (1) of a Map, member of a Tuple,
  /// alternative of a Variant. Null where the kind has no parts.
  const TypeInfo& (*part)(std::size_t i);
  std::size_t parts;

  /// Enumerators with a name, in ascending order of value; ends at an entry whose name is null.
  /// Null unless Enum.
  const Enumerator* (*enumerators)();

  /// Runs the type's Serialize (or the library's, for standard types) on `*object` with `archive`.
  void (*visit)(AnyArchive& archive, void* object);
  /// Placement-constructs a fresh `T{}` / destroys it; `storage` has `size` bytes at `alignment`.
  /// `construct` is null where T has no default constructor.
  void (*construct)(void* storage);
  void (*destroy)(void* object);
  /// Members of an aggregate record as the compiler counts them, 127 where there are that many or
  /// more; 0 where it is no aggregate.
  std::size_t aggregate_members;
  /// Of an Aligned: what it is a multiple of on the wire. Zeros stand before it, so that its size
  /// depends on its place. Else 0.
  std::size_t aligned = 0;
};

/// The descriptor of `T`. Defined in detail/visit/any_visitor.h for every type that the library can
/// serialise.
template <class T>
const TypeInfo& TypeOf();

}  // namespace revctl
