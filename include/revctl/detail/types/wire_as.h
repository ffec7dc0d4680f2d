#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

// Templates to specialize for serializing types from other libraries.

namespace revctl {

/// Serializes a type as a different type, for example a framework's strings, durations, or angles
/// stored in 16 bits. Specialize this template:
///
///   template <>
///   struct revctl::WireAs<QString> {
///     using Type = std::string;  // anything that has a wire form
///     static Type ToWire(const QString& s) { return s.toStdString(); }
///     static bool FromWire(Type&& wire, QString& s) {  // false: not a value of this type
///       s = QString::fromStdString(wire);
///       return true;
///     }
///   };
///
/// The type appears as `Type` on the wire, in layouts and in JSON. Changing `Type` changes the
/// layout.
template <class T>
struct WireAs;

/// Serializes an enum as an integer type that differs from its underlying type:
///
///   template <>
///   struct revctl::WireAs<Terrain> : revctl::EnumWireAs<Terrain, std::int32_t> {};
///
/// Reading rejects a number that the enum cannot hold.
template <class E, class Integer>
struct EnumWireAs {
  static_assert(sizeof(Integer) >= sizeof(E),
                "revctl: some values of the enum would not fit into the integer");
  using Type = Integer;
  static constexpr Type ToWire(E e) { return static_cast<Type>(e); }
  static constexpr bool FromWire(Type wire, E& e) {
    e = static_cast<E>(wire);
    return static_cast<Type>(e) == wire;
  }
};

/// Serializes a struct as a copy of its memory, for structs that the program copies byte by byte.
/// If the program has a concept for these structs, a single specialization covers all of them:
///
///   template <CopiedByBytes T>
///   struct revctl::WireAs<T> : revctl::BytesWireAs<T> {};
///
/// Layouts contain only the bytes, so changing a member to a different type of the same size goes
/// unnoticed. If the members are known, give the struct a body instead (PLAIN, plain.h). Padding is
/// saved as well, so the bytes of a struct with padding differ between runs (GH005).
template <class T>
struct BytesWireAs {
  static_assert(std::is_trivially_copyable_v<T>,
                "revctl: only a trivially copyable struct can be copied byte by byte");
  using Type = std::array<std::byte, sizeof(T)>;
  static constexpr Type ToWire(const T& value) { return std::bit_cast<Type>(value); }
  static constexpr bool FromWire(const Type& wire, T& value) {
    value = std::bit_cast<T>(wire);
    return true;
  }
};

/// Serializes another library's growable container like a std::vector. Specialize it for the
/// template or for one type:
///
///   template <class T>
///   struct revctl::SequenceOf<game::Array<T>> {
///     using Element = T;
///   };
///
/// The container must have size(), clear(), begin(), end(), emplace_back() and back(). If it also
/// has data(), resize(n) and assign(first, last), numbers and flat records are as fast as in a
/// std::vector.
template <class C>
struct SequenceOf;

/// Bulk data that can refer to the bytes from which it was read; see view.h.
template <class T>
class View;

namespace detail {

template <class T>
inline constexpr bool kIsView = false;
template <class T>
inline constexpr bool kIsView<View<T>> = true;
/// Visits a view with a binary archive; defined in view.h.
template <class R, class T>
void VisitView(R& r, View<T>& view);

template <class T>
concept HasWireAs = requires {
  typename WireAs<T>::Type;
};

template <class C>
concept UserSequence = requires {
  typename SequenceOf<C>::Element;
};

}  // namespace detail
}  // namespace revctl
