#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

namespace revctl {

/// Passes a type as an argument. Argument-dependent lookup finds `RevctlBody(Tag<T>)` in T's
/// namespace, and unlike an object, a Tag does not convert to the Tag of a base class.
template <class T>
struct Tag {};

class AnyArchive;

/// The wire form of a type.
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
  Enum,      ///< an integer; TypeInfo::underlying is its kind
  String,    ///< u32 count, bytes
  Record,    ///< a type with its own body
  Array,     ///< fixed number of elements, no count
  Sequence,  ///< vector: u32 count, elements
  Optional,  ///< u8 flag, element
  Pointer,   ///< unique_ptr: u8 flag, element (if polymorphic: see polymorphic.h)
  Map,       ///< u32 count, key and value in key order
  Set,       ///< u32 count, keys in order
  Tuple,     ///< pair and tuple: members one after another
  Variant,   ///< u8 index, the alternative
  Bitset,    ///< (N + 7) / 8 bytes
};

namespace detail {

/// Returns the wire name of a number (`i32`), or "" for other kinds.
inline const char* NumberName(Kind kind) {
  constexpr const char* kNames[] = {"bool", "i8",  "i16", "i32", "i64", "u8",
                                    "u16",  "u32", "u64", "f32", "f64"};
  return kind <= Kind::F64 ? kNames[static_cast<std::size_t>(kind)] : "";
}

/// Returns the size of a number in bytes. For other kinds, returns 4, the size of a count.
constexpr std::size_t ScalarSize(Kind kind) {
  constexpr std::uint8_t kSizes[] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8};
  return kind <= Kind::F64 ? kSizes[static_cast<std::size_t>(kind)] : 4;
}

constexpr bool IsSigned(Kind kind) { return kind >= Kind::I8 && kind <= Kind::I64; }

}  // namespace detail

/// A named enumerator; see `TypeInfo::enumerators`.
struct Enumerator {
  const char* name;  ///< unqualified, static storage; null at the end of a list
  std::int64_t value;
};

/// Functions that construct and destroy objects of a type.
struct Making {
  /// Constructs a `T{}` in `storage`, which must have TypeInfo::size bytes and be aligned to
  /// TypeInfo::alignment. Null if T has no default constructor.
  void (*construct)(void* storage);
  void (*destroy)(void* object);
};

/// Functions that create objects of a type known only by its TypeInfo. They are not part of
/// TypeInfo, because they are needed only in files that use the harness or layouts, and compiling
/// them for every nested type takes longer than compiling the reader and the writer.
struct TypeMaking : Making {
  /// Default-initializes a `T` in `storage`, as `T object;` does, so that members without an
  /// initializer keep the bytes of `storage`. Null if `T object;` does not compile.
  void (*construct_bare)(void* storage);
  /// Number of members of an aggregate record (at most 127), or 0 if the type is not an aggregate.
  std::size_t aggregate_members;
};

/// Describes one C++ type to archives that are not templates. A TypeInfo has static storage;
/// compare types by its address.
struct TypeInfo {
  Kind kind;
  Kind underlying;        ///< wire kind of an Enum's integer; equal to `kind` for other kinds
  std::size_t size;       ///< sizeof(T), bytes
  std::size_t alignment;  ///< alignof(T), bytes
  /// memory, in bytes, that each additional element of a container takes; 0 if elements take no
  /// extra memory
  std::size_t cost;
  /// elements of an Array, members of a Tuple, alternatives of a Variant, bits of a Bitset; 0 for
  /// other kinds
  std::size_t count;

  /// Canonical wire type, which is the same for every compiler: `i32`, `string`, `vector<f32>`,
  /// `array<u8,4>`, `optional<Player>`, `map<string,i32>`, `variant<A,B>`, `bitset<12>`,
  /// `unique_ptr<Node>`; records and enums by qualified name (`game::Score`).
  std::string (*name)();

  /// Returns part `i`: the element of a container, key (0) or value (1) of a Map, a member of a
  /// Tuple, an alternative of a Variant. Null if the kind has no parts.
  const TypeInfo& (*part)(std::size_t i);
  std::size_t parts;

  /// Returns the named enumerators, ascending by value, terminated by an entry with a null name.
  /// The function pointer is null unless the kind is Enum.
  const Enumerator* (*enumerators)();

  /// Visits `*object` with `archive`, using the type's body or, for standard types, the library's
  /// visitor. `type` is this descriptor. Use Visit() instead of calling this directly.
  void (*visit)(AnyArchive& archive, void* object, const TypeInfo& type);
  /// Runs the body of a Record. Null for other kinds, and for records that have no body because the
  /// library visits them.
  void (*body)(AnyArchive& archive, void* object);
  /// Functions that create objects of the type, or null. Read this with MakingOf().
  const std::atomic<const TypeMaking*>* making;
  /// Alignment on the wire if the type is an Aligned, or 0 for other types. The size of an Aligned
  /// depends on its position, because of the zeros before it.
  std::size_t aligned = 0;

  void Visit(AnyArchive& archive, void* object) const { visit(archive, object, *this); }
};

/// Returns the functions that create objects of the type, or null if no file of the program calls
/// TypeWithMaking() for it or for a type that contains it (detail/visit/type_making.h).
inline const TypeMaking* MakingOf(const TypeInfo& type) {
  return type.making->load(std::memory_order_acquire);
}

/// Returns the descriptor of `T`. Defined in detail/visit/any_visitor.h for every serializable
/// type.
template <class T>
const TypeInfo& TypeOf();

}  // namespace revctl
