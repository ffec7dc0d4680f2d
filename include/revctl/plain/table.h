#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include <revctl/detail/types/type_info.h>
#include <revctl/detail/types/wire_kind.h>
#include <revctl/plain/enum.h>
#include <revctl/plain/macros.h>

namespace revctl {

/// Specialize this for a struct of another library (such as a math vector) that consists of exactly
/// `count` values of type `Element`:
///
///     template <> struct revctl::PlainValues<Vec3> {
///       using Element = float;
///       static constexpr std::size_t count = 3;
///     };
///
/// A field of that type is treated like a `float[3]`, but with the alignment of the struct.
template <class T>
struct PlainValues;

namespace detail {

struct PlainTable;
template <PlainType T>
constexpr const PlainTable* PlainTableOf();

/// Removes the outermost array dimension from a T[N], std::array or PlainValues.
template <class T>
struct PlainArray {
  static constexpr std::size_t extent = 0;
};
template <class T, std::size_t N>
struct PlainArray<T[N]> {
  using Element = T;
  static constexpr std::size_t extent = N;
};
template <class T, std::size_t N>
struct PlainArray<std::array<T, N>> {
  static_assert(N > 0, "a plain field cannot be an empty array");
  using Element = T;
  static constexpr std::size_t extent = N;
};
template <class T>
requires requires { typename PlainValues<T>::Element; }
struct PlainArray<T> {
  using Element = typename PlainValues<T>::Element;
  static constexpr std::size_t extent = PlainValues<T>::count;
  static_assert(std::is_trivially_copyable_v<T>,
                "PlainValues: the struct must be trivially copyable");
  static_assert(std::is_arithmetic_v<Element>, "PlainValues: the elements must be numbers");
  static_assert(sizeof(T) == sizeof(Element) * extent,
                "PlainValues: the struct holds more than `count` elements");
};

template <class T>
struct PlainLeafOf {
  using Type = T;
  static constexpr std::size_t count = 1;
  static constexpr int rank = 0;
};
template <class T>
requires(PlainArray<T>::extent > 0) struct PlainLeafOf<T> {
  using Inner = PlainLeafOf<typename PlainArray<T>::Element>;
  using Type = typename Inner::Type;
  static constexpr std::size_t count = PlainArray<T>::extent * Inner::count;
  static constexpr int rank = 1 + Inner::rank;
};
/// A field's type without array dimensions.
template <class T>
using PlainLeaf = typename PlainLeafOf<T>::Type;
template <class T>
inline constexpr std::size_t plain_leaves = PlainLeafOf<T>::count;

inline constexpr int kPlainRank = 4;
using PlainExtents = std::array<std::size_t, kPlainRank>;

/// Describes a field's type: leaves of one kind in up to four array dimensions.
struct PlainShape {
  Kind kind = Kind::U8;
  Kind underlying = Kind::U8;  ///< integer kind of an Enum; equal to `kind` for other kinds
  /// Size of a leaf in bytes, or 0 for a nested record, whose size depends on the revision.
  std::size_t unit = 0;
  std::size_t align = 0;  ///< alignment of the field in bytes; 0 for a nested record
  std::size_t count = 1;
  int rank = 0;
  PlainExtents extents{};              ///< outermost first
  const PlainTable* nested = nullptr;  ///< null unless the field is a record
  /// Returns the index of the first invalid leaf among `n`, or `n` if all are valid. The pointer is
  /// null if every bit pattern is valid.
  std::size_t (*first_bad)(const std::byte* leaves, std::size_t n) = nullptr;

  // These functions test `kind` instead of the pointers, because with -fsanitize=undefined, g++
  // cannot evaluate pointer tests at compile time.
  constexpr bool Record() const { return kind == Kind::Record; }
  constexpr bool Checked() const { return kind == Kind::Bool || kind == Kind::Enum; }
};

template <class T>
consteval PlainShape PlainShapeOf() {
  static_assert(!std::is_const_v<T> && !std::is_volatile_v<T>,
                "a plain field cannot be const or volatile");
  static_assert(!std::is_reference_v<T>,
                "a plain field cannot be a reference: store an index or an id");
  static_assert(!std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_null_pointer_v<T>,
                "a plain field cannot be a pointer: store an index or an id, or use objects.h");
  static_assert(!std::is_same_v<T, long double>,
                "long double differs between machines: use double");
  static_assert(!std::is_same_v<T, wchar_t>,
                "wchar_t differs between machines: use uint16_t or uint32_t");
  PlainShape shape;
  if constexpr (PlainArray<T>::extent > 0) {
    shape = PlainShapeOf<typename PlainArray<T>::Element>();
    static_assert(PlainLeafOf<T>::rank <= kPlainRank,
                  "a plain field can have at most four array dimensions");
    for (int i = shape.rank; i > 0; --i) {
      shape.extents[static_cast<std::size_t>(i)] = shape.extents[static_cast<std::size_t>(i - 1)];
    }
    shape.extents[0] = PlainArray<T>::extent;
    ++shape.rank;
    shape.count *= PlainArray<T>::extent;
    if (!shape.Record())
      shape.align = alignof(T);  // PlainValues may be aligned more strictly than its elements
  } else if constexpr (PlainType<T>) {
    shape.kind = shape.underlying = Kind::Record;
    shape.nested = PlainTableOf<T>();
  } else if constexpr (std::is_enum_v<T> && !Number<T>::known) {
    static_assert(Number<std::underlying_type_t<T>>::known,
                  "the enum's underlying type differs between machines: write `enum E : int32_t`");
    shape.kind = Kind::Enum;
    shape.underlying = Number<std::underlying_type_t<T>>::kind;
    shape.unit = shape.align = sizeof(T);
    shape.first_bad = &FirstBadPlainEnum<T>;
  } else if constexpr (std::is_same_v<T, bool>) {
    shape.kind = shape.underlying = Kind::Bool;
    shape.unit = shape.align = 1;
    shape.first_bad = &FirstBadPlainBool;
  } else {
    static_assert(
        Number<T>::known || !std::is_integral_v<T>,
        "this integer's width differs between machines: use int32_t, int64_t, uint32_t...");
    static_assert(Number<T>::known || std::is_arithmetic_v<T>,
                  "a plain field must be a number, bool, enum, another PLAIN struct, an array of "
                  "those, or a struct with a specialization of revctl::PlainValues");
    shape.kind = shape.underlying = Number<T>::kind;
    shape.unit = shape.align = sizeof(T);
  }
  return shape;
}

}  // namespace detail
}  // namespace revctl

namespace revctl::detail {

class PlainTrouble;

/// A FIELD or DEAD without its C++ type, for code that handles old layouts.
struct PlainField {
  const char* name;
  std::int64_t since, until;
  PlainShape shape;

  constexpr bool LiveAt(std::int64_t revision) const {
    return since <= revision && revision < until;
  }
  constexpr bool Lives() const { return until == kPlainLives; }
};

/// A HOP. `run` receives the images of the struct before and after the hop, and may report an
/// error.
struct PlainHop {
  std::int64_t number;
  void (*run)(const std::byte* before, std::byte* after, PlainTrouble& trouble);
};

/// Information that requires the complete struct. It is separate from PlainTable, which HOP bodies
/// need while the struct is still being parsed.
struct PlainRuntime {
  const std::size_t* offsets;           ///< offsetof each member; meaningless for dead members
  void (*const* dead_defaults)(void*);  ///< writes the value of DEAD_WITH; null for other fields
  const PlainHop* hops;
  int hop_count;
  void (*fresh)(void* storage);  ///< placement-constructs `T{}`
};

/// A PLAIN struct: all its fields, live and dead, in order of declaration.
struct PlainTable {
  const char* name;
  const PlainField* fields;
  int count;
  std::size_t size, align;  ///< sizeof and alignof of the current struct
  const PlainRuntime& (*runtime)();
};

/// Returns the index of the dead field that field `index` replaces, or -1. The dead field has the
/// same name and ends at the revision where the other begins.
constexpr int PlainPredecessor(const PlainTable& table, int index) {
  const PlainField& field = table.fields[index];
  for (int i = 0; i < table.count; ++i) {
    if (i != index && table.fields[i].until == field.since &&
        SamePlainName(table.fields[i].name, field.name))
      return i;
  }
  return -1;
}

/// Returns the index of the field that replaces dead field `index`, or -1.
constexpr int PlainSuccessor(const PlainTable& table, int index) {
  for (int i = 0; i < table.count; ++i) {
    if (i != index && PlainPredecessor(table, i) == index) return i;
  }
  return -1;
}

template <PlainType T, class = std::make_integer_sequence<int, plain_members<T>>>
struct PlainFields;
template <PlainType T, int... I>
struct PlainFields<T, std::integer_sequence<int, I...>> {
  static_assert(sizeof...(I) > 0, "a PLAIN struct needs at least one FIELD");
  static constexpr std::array<PlainField, sizeof...(I)> list{
      PlainField{PlainMemberAt<T, I>::name, PlainMemberAt<T, I>::since, PlainMemberAt<T, I>::until,
                 PlainShapeOf<typename PlainMemberAt<T, I>::Type>()}...};
};

template <PlainType T, std::int64_t Number>
void RunPlainHop(const std::byte* before, std::byte* after,
                 PlainTrouble& trouble);  // defined in hop.h

template <PlainType T, int I>
constexpr std::size_t PlainOffset() {
  if constexpr (PlainMemberAt<T, I>::lives) {
    return T::RevctlPlainOffset(PlainIndex<I>{});
  } else {
    return static_cast<std::size_t>(-1);
  }
}
template <PlainType T, int I>
constexpr auto PlainDeadDefault() -> void (*)(void*) {
  if constexpr (requires(void* out) { T::RevctlPlainDead(PlainIndex<I>{}, out); }) {
    return [](void* out) { T::RevctlPlainDead(PlainIndex<I>{}, out); };
  } else {
    return nullptr;
  }
}

template <PlainType T, class = std::make_integer_sequence<int, plain_members<T>>,
          class = std::make_integer_sequence<int, plain_hops<T>>>
struct PlainDuties;
template <PlainType T, int... I, int... H>
struct PlainDuties<T, std::integer_sequence<int, I...>, std::integer_sequence<int, H...>> {
  static_assert(std::is_trivially_copyable_v<T>, "a PLAIN struct must be trivially copyable");
  static_assert(std::is_standard_layout_v<T>,
                "a PLAIN struct must have only public fields and no base class");
  static_assert(std::is_default_constructible_v<T>,
                "a PLAIN struct must have a default constructor");
  static constexpr std::array<std::size_t, sizeof...(I)> offsets{PlainOffset<T, I>()...};
  static constexpr std::array<void (*)(void*), sizeof...(I)> defaults{PlainDeadDefault<T, I>()...};
  static constexpr std::array<PlainHop, sizeof...(H) + 1> hops{
      PlainHop{PlainHopAt<T, H>::number, &RunPlainHop<T, PlainHopAt<T, H>::number>}...,
      PlainHop{0, nullptr}};
  static void Fresh(void* storage) { ::new (storage) T{}; }
  static constexpr PlainRuntime runtime{offsets.data(), defaults.data(), hops.data(), sizeof...(H),
                                        &Fresh};
};
template <PlainType T>
constexpr const PlainRuntime& PlainRuntimeOf() {
  return PlainDuties<T>::runtime;
}

template <PlainType T>
inline constexpr PlainTable plain_table{T::RevctlPlainName(), PlainFields<T>::list.data(),
                                        plain_members<T>,     sizeof(T),
                                        alignof(T),           &PlainRuntimeOf<T>};
template <PlainType T>
constexpr const PlainTable* PlainTableOf() {
  return &plain_table<T>;
}

}  // namespace revctl::detail
