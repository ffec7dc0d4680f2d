#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <type_traits>

// Types that are not the library's and have no Serialize: one specialisation each.

namespace revctl {

/// A type that travels as another one: strings of a framework, durations, angles that are stored as
/// 16 bits. Specialise:
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
/// On the wire, in layouts and in JSON it is `Type`. Changing `Type` changes the layout, like any
/// retype.
template <class T>
struct WireAs;

/// An enum that travels as another integer than the one underneath:
///
///   template <>
///   struct revctl::WireAs<Terrain> : revctl::EnumWireAs<Terrain, std::int32_t> {};
///
/// A number that the enum cannot hold is refused.
template <class E, class Integer>
struct EnumWireAs {
  static_assert(sizeof(Integer) >= sizeof(E), "revctl: some values of the enum would not fit");
  using Type = Integer;
  static constexpr Type ToWire(E e) { return static_cast<Type>(e); }
  static constexpr bool FromWire(Type wire, E& e) {
    e = static_cast<E>(wire);
    return static_cast<Type>(e) == wire;
  }
};

/// A struct that a program copies byte by byte, as it is in memory. One line says so for all of
/// them, where a concept of the program's own tells which they are:
///
///   template <CopiedByBytes T>
///   struct revctl::WireAs<T> : revctl::BytesWireAs<T> {};
///
/// The bytes stand for themselves: a member that is retyped, with the same size, shows in no
/// layout. Give such structs a body where their members are known (PLAIN, plain.h). Padding is
/// saved, too: a struct that has some differs between runs, which is GH005.
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

/// A growing container of a library of one's own: on the wire it is a vector. Specialise for the
/// template or for one type:
///
///   template <class T>
///   struct revctl::SequenceOf<game::Array<T>> {
///     using Element = T;
///   };
///
/// It must have size(), clear(), begin(), end(), emplace_back() and back(). Where it also has
/// data(), resize(n), and assign(first, last), arrays of numbers and of flat records go as fast as
/// in a std::vector.
template <class C>
struct SequenceOf;

/// Bulk data that may refer to the bytes it was read from: view.h.
template <class T>
class View;

namespace detail {

template <class T>
inline constexpr bool kIsView = false;
template <class T>
inline constexpr bool kIsView<View<T>> = true;
/// What a binary archive does with a view; defined in view.h.
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
