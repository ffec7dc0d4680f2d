#pragma once
#include <array>
#include <bitset>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/types/aligned.h>
#include <revctl/detail/types/enums.h>
#include <revctl/detail/types/polymorphic.h>
#include <revctl/detail/types/refused_type.h>
#include <revctl/detail/types/type_info.h>
#include <revctl/detail/types/wire_as.h>

// The wire kind of every C++ type. For types without one, see refused_type.h.

namespace revctl {

/// Serializes std::monostate as nothing, unless the program specializes WireAs for it.
template <std::same_as<std::monostate> T>
struct WireAs<T> {
  using Type = std::tuple<>;
  static constexpr Type ToWire(T) { return {}; }
  static constexpr bool FromWire(Type, T&) { return true; }
};

namespace detail {

void RevctlBody();  // declares the name; lookup through Tag<T> finds the bodies

void RevctlSplit();
void RevctlStatedFlat();

/// True if the namespace of T contains SERIALIZE_DECLARE(T), which means that the body of T is in a
/// source file.
template <class T>
concept HasSplitBody = requires {
  RevctlSplit(Tag<T>{});
};

/// True if the header declares T as flat with SERIALIZE_DECLARE_FLAT(T), and the compiler can prove
/// it.
template <class T>
concept StatedFlat = kProvesFlatness && HasSplitBody<T> && !HasWireAs<T> && requires {
  RevctlStatedFlat(Tag<T>{});
};

/// True if T has a body, that is, if SERIALIZE_TYPE(T) or SERIALIZE_DECLARE(T) is in T's namespace.
template <class T>
concept HasBody = HasSplitBody<T> || requires {
  RevctlBody(Tag<T>{});
};

template <class T>
inline constexpr bool kIsPolymorphicContent = false;
template <class Base>
inline constexpr bool kIsPolymorphicContent<PolymorphicContent<Base>> = true;

template <class T>
inline constexpr bool kIsString = false;
template <class A>
inline constexpr bool kIsString<std::basic_string<char, std::char_traits<char>, A>> = true;

/// True for std::vector<bool>, which packs its elements into bits, so that references to them are
/// impossible.
template <class T>
inline constexpr bool kIsBitVector = false;
template <class A>
inline constexpr bool kIsBitVector<std::vector<bool, A>> = true;

/// Wire form of a standard container; `known` is false for other types.
template <class T>
struct Shape {
  static constexpr bool known = false;
};
struct KnownShape {
  static constexpr bool known = true;
};

template <class T>
concept NoArray = !std::is_array_v<T>;

template <class T, std::size_t n>
struct Shape<T[n]> : KnownShape {
  static constexpr Kind kind = Kind::Array;
  static constexpr std::size_t count = n;
  using Element = T;
};
template <class T, std::size_t n>
struct Shape<std::array<T, n>> : KnownShape {
  static constexpr Kind kind = Kind::Array;
  static constexpr std::size_t count = n;
  using Element = T;
};
template <class T, class A>
struct Shape<std::vector<T, A>> : KnownShape {
  static constexpr Kind kind = Kind::Sequence;
  using Element = T;
};
template <class C>
requires UserSequence<C>
struct Shape<C> : KnownShape {
  static constexpr Kind kind = Kind::Sequence;
  using Element = typename SequenceOf<C>::Element;
};
template <class T>
struct Shape<std::optional<T>> : KnownShape {
  static constexpr Kind kind = Kind::Optional;
  using Element = T;
};
template <NoArray T>
struct Shape<std::unique_ptr<T>> : KnownShape {
  static constexpr Kind kind = Kind::Pointer;
  using Element = T;
};
template <NoArray T>
requires Polymorphic<T>
struct Shape<std::unique_ptr<T>> : KnownShape {
  static constexpr Kind kind = Kind::Pointer;
  using Element = PolymorphicContent<T>;
};

template <class K, class V, bool is_sorted>
struct MapShape : KnownShape {
  static constexpr Kind kind = Kind::Map;
  static constexpr bool sorted = is_sorted;  ///< true if the container iterates in key order
  using Key = K;
  using Mapped = V;
};
template <class K, class V, class C, class A>
struct Shape<std::map<K, V, C, A>> : MapShape<K, V, true> {};
template <class K, class V, class H, class E, class A>
struct Shape<std::unordered_map<K, V, H, E, A>> : MapShape<K, V, false> {};

template <class K, bool is_sorted>
struct SetShape : KnownShape {
  static constexpr Kind kind = Kind::Set;
  static constexpr bool sorted = is_sorted;
  using Key = K;
};
template <class K, class C, class A>
struct Shape<std::set<K, C, A>> : SetShape<K, true> {};
template <class K, class H, class E, class A>
struct Shape<std::unordered_set<K, H, E, A>> : SetShape<K, false> {};

template <class... T>
struct TupleShape : KnownShape {
  static constexpr Kind kind = Kind::Tuple;
  static constexpr std::size_t count = sizeof...(T);
};
template <class A, class B>
struct Shape<std::pair<A, B>> : TupleShape<A, B> {};
template <class... T>
struct Shape<std::tuple<T...>> : TupleShape<T...> {};
template <class... T>
struct Shape<std::variant<T...>> : KnownShape {
  static_assert(sizeof...(T) <= 255,
                "revctl: a variant can have at most 255 alternatives, because its index is saved "
                "as one byte");
  static constexpr Kind kind = Kind::Variant;
  static constexpr std::size_t count = sizeof...(T);
};
template <std::size_t n>
struct Shape<std::bitset<n>> : KnownShape {
  static constexpr Kind kind = Kind::Bitset;
  static constexpr std::size_t count = n;
};

/// Wire kind of an integer or float; `known` is false for unsupported types.
template <class T>
struct Number {
  static constexpr bool known = false;
};
template <Kind k>
struct KnownNumber {
  static constexpr bool known = true;
  static constexpr Kind kind = k;
};
// clang-format off
template <> struct Number<bool> : KnownNumber<Kind::Bool> {};
template <> struct Number<char> : KnownNumber<Kind::U8> {};  // char is signed on some machines
template <> struct Number<char8_t> : KnownNumber<Kind::U8> {};
template <> struct Number<std::byte> : KnownNumber<Kind::U8> {};
template <> struct Number<std::int8_t> : KnownNumber<Kind::I8> {};
template <> struct Number<std::int16_t> : KnownNumber<Kind::I16> {};
template <> struct Number<std::int32_t> : KnownNumber<Kind::I32> {};
template <> struct Number<std::int64_t> : KnownNumber<Kind::I64> {};
template <> struct Number<std::uint8_t> : KnownNumber<Kind::U8> {};
template <> struct Number<std::uint16_t> : KnownNumber<Kind::U16> {};
template <> struct Number<std::uint32_t> : KnownNumber<Kind::U32> {};
template <> struct Number<std::uint64_t> : KnownNumber<Kind::U64> {};
template <> struct Number<float> : KnownNumber<Kind::F32> {};
template <> struct Number<double> : KnownNumber<Kind::F64> {};
// clang-format on
/// Handles `long long` where std::int64_t is `long`. `long long` always has 64 bits, unlike `long`.
template <std::same_as<long long> T>
requires(!std::same_as<T, std::int64_t>) struct Number<T> : KnownNumber<Kind::I64> {
};
template <std::same_as<unsigned long long> T>
requires(!std::same_as<T, std::uint64_t>) struct Number<T> : KnownNumber<Kind::U64> {
};

template <class F>
inline constexpr bool kComparesAlike = std::is_empty_v<F>&& std::is_default_constructible_v<F>;

/// Rejects containers whose comparator has state, because reading would construct the container
/// without that state. For example, a std::function would be empty and a function pointer null. A
/// hash may have state, because its constructor may set a seed.
template <class T>
consteval void RequireOrderOfType() {
  if constexpr (requires { typename T::key_compare; }) {
    static_assert(kComparesAlike<typename T::key_compare>,
                  "revctl: the key comparator is a function or has state, and reading cannot "
                  "restore it: use a struct without members as the comparator");
  } else if constexpr (requires {
                         typename T::hasher;
                         typename T::key_equal;
                       }) {
    static_assert(
        kComparesAlike<typename T::key_equal> && std::is_class_v<typename T::hasher> &&
            !LooksLikeFunction<typename T::hasher> &&
            std::is_default_constructible_v<typename T::hasher>,
        "revctl: the key comparator is a function or has state, or the hash is a function, and "
        "reading cannot restore it: use structs, and a comparator without members");
  }
}

/// Returns the wire kind of T. For types without one, fails to compile with a message that suggests
/// an alternative.
template <class T>
consteval Kind KindOf() {
  if constexpr (HasWireAs<T>) {
    return KindOf<typename WireAs<T>::Type>();
  } else if constexpr (kIsAligned<T>) {
    return KindOf<typename T::Type>();
  } else if constexpr (kIsPolymorphicContent<T>) {
    return Kind::Record;
  } else if constexpr (Number<T>::known) {
    return Number<T>::kind;
  } else if constexpr (kIsString<T>) {
    return Kind::String;
  } else if constexpr (Shape<T>::known) {
    if constexpr (kIsPolymorphicOwner<T>) Refuse<T>();
    if constexpr (Shape<T>::kind == Kind::Map || Shape<T>::kind == Kind::Set)
      RequireOrderOfType<T>();
    return Shape<T>::kind;
  } else if constexpr (std::is_enum_v<T>) {
    if constexpr (!Number<std::underlying_type_t<T>>::known) Refuse<T>();
    return Kind::Enum;
  } else {
    if constexpr (!HasBody<T>) Refuse<T>();
    return Kind::Record;
  }
}

/// True for integers, floats, bool and enums. Their wire form is the value in little-endian bytes.
template <class T>
inline constexpr bool kIsScalar = (Number<T>::known || std::is_enum_v<T>)&&!HasWireAs<T>;

/// True for bool and for enums based on bool. Most byte values are invalid for them.
template <class T>
inline constexpr bool kIsBool = std::is_same_v<T, bool>;
template <class T>
requires std::is_enum_v<T>
inline constexpr bool kIsBool<T> = std::is_same_v<std::underlying_type_t<T>, bool>;

/// True for scalars for which all byte values are valid, so that many can be copied at once.
template <class T>
inline constexpr bool kIsRaw = kIsScalar<T> && !kIsBool<T> && !kIsUnfixedEnum<T>;

/// True for containers that count against Limits::depth, because a type can contain itself through
/// them.
template <class T>
inline constexpr bool kDescends = false;
template <class T>
requires(requires { typename Shape<T>::Element; } &&
         (Shape<T>::kind == Kind::Sequence ||
          Shape<T>::kind == Kind::Pointer)) inline constexpr bool kDescends<T> =
    !kIsScalar<typename Shape<T>::Element> && !kIsString<typename Shape<T>::Element>;
template <class T>
requires requires { typename Shape<T>::Key; }
inline constexpr bool kDescends<T> = true;

/// Estimated memory overhead of a separately allocated element: links, the allocator's header,
/// rounding.
inline constexpr std::size_t kNode = 48;

template <class T>
consteval std::size_t ElementCost() {
  using S = Shape<T>;
  if constexpr (!S::known) {
    return 0;
  } else if constexpr (S::kind == Kind::Map) {
    return sizeof(typename S::Key) + sizeof(typename S::Mapped) + kNode;
  } else if constexpr (S::kind == Kind::Set) {
    return sizeof(typename S::Key) + kNode;
  } else if constexpr (S::kind == Kind::Pointer) {
    return kIsPolymorphicContent<typename S::Element>
               ? 0
               : sizeof(typename S::Element) +
                     kNode;  // a polymorphic object is charged once its class is known
  } else if constexpr (S::kind == Kind::Sequence) {
    constexpr bool in_one_piece = kIsBitVector<T> || requires(T & c) { c.data(); };
    return sizeof(typename S::Element) + (in_one_piece ? 0 : kNode);
  } else {
    return 0;
  }
}
/// Memory charged to Limits::budget for each element that reading adds to a T.
template <class T>
inline constexpr std::size_t kElementCost = ElementCost<T>();

/// A growable container that has a member reserve(), which speeds up filling.
template <class C>
concept Reservable = requires(C& c, std::size_t n) {
  c.reserve(n);
};
template <class C>
concept Resizable = requires(C& c, std::size_t n) {
  c.resize(n);
  c.data();
};
template <class C, class Element>
concept AssignableFrom = requires(C& c, const Element* p) {
  c.assign(p, p);
};

template <class T>
inline constexpr bool kIsVariant = false;
template <class... T>
inline constexpr bool kIsVariant<std::variant<T...>> = true;

template <class T>
inline constexpr bool kIsVector = false;
template <class T, class A>
inline constexpr bool kIsVector<std::vector<T, A>> = true;

template <class T>
constexpr void RequireGrowable() {
  static_assert(!kIsVector<T> || std::is_move_constructible_v<typename Shape<T>::Element>,
                "revctl: a std::vector moves its elements as it grows, and elements of this type "
                "cannot be moved: hold each element in a std::unique_ptr");
}

template <class T>
constexpr void RequireFresh() {
  static_assert(std::is_default_constructible_v<T>,
                "revctl: reading creates fresh values as T{}; the type needs a default "
                "constructor");
}

}  // namespace detail

/// Orders the keys of unordered maps and sets for writing. For keys without `<`, specialize this
/// with a `static bool Less(const K&, const K&)`. NaNs, which `<` cannot order, are ordered by
/// their bits.
template <class K>
struct KeyOrder {
  static bool Less(const K& a, const K& b) {
    if constexpr (std::floating_point<K>) {
      if (a != a || b != b) return std::strong_order(a, b) < 0;
    }
    static_assert(
        requires { a < b; },
        "revctl: keys of unordered containers are written in order; give K an operator<, or "
        "specialize revctl::KeyOrder<K>");
    return a < b;
  }
};

}  // namespace revctl
