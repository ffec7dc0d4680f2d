#pragma once
#include <type_traits>

// Types that are not the library's and have no Serialize: one specialisation each.

namespace revctl {

/// A type that travels as another one: strings of a framework, durations, angles that are stored as 16 bits. Specialise:
///
///   template <>
///   struct revctl::WireAs<QString> {
///     using Type = std::string;                                       // anything that has a wire form
///     static Type ToWire(const QString& s) { return s.toStdString(); }
///     static bool FromWire(Type&& wire, QString& s) {                 // false: not a value of this type
///       s = QString::fromStdString(wire);
///       return true;
///     }
///   };
///
/// On the wire, in layouts and in JSON it is `Type`. Changing `Type` changes the layout, like any retype.
template <class T>
struct WireAs;

/// A growing container of a library of one's own: on the wire it is a vector. Specialise for the template or for one type:
///
///   template <class T>
///   struct revctl::SequenceOf<game::Array<T>> {
///     using Element = T;
///   };
///
/// It must have size(), clear(), begin(), end(), emplace_back() and back(). Where it also has data(), resize(n), and
/// assign(first, last), arrays of numbers and of flat records go as fast as in a std::vector.
template <class C>
struct SequenceOf;

namespace detail {

template <class T>
concept HasWireAs = requires { typename WireAs<T>::Type; };

template <class C>
concept UserSequence = requires { typename SequenceOf<C>::Element; };

}  // namespace detail
}  // namespace revctl
