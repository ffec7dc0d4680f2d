#pragma once
#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <revctl/detail/base/compiler.h>
#include <revctl/detail/types/any_archive.h>
#include <revctl/detail/types/type_info.h>

// Serializes a std::unique_ptr<Base> that holds objects of derived classes. The wire format is a u8
// flag, the class name as a string, and the object.
//
//   struct Shape { virtual ~Shape() = default; };
//   REVCTL_POLYMORPHIC(Shape);                          // header, in Shape's namespace
//
//   struct Circle : Shape { float radius = 0; };
//   SERIALIZE_TYPE(Circle) { ADD(SR_INITIAL, radius); } SERIALIZE_END
//   REVCTL_REGISTER_CLASS(Shape, Circle, "circle");     // one source file, at namespace scope
//
// Files contain the registered name, so the C++ class can be renamed. Reading an unknown name is an
// error, and so is writing an object of an unregistered class. If two classes are registered under
// the same name, every read or write of a Base fails.
//
// The library uses typeid to find the class of an object. Without RTTI, or for speed, give Base a
// member `const char* RevctlClassName() const` that returns the registered name. If Base belongs to
// another library, define `std::string_view ClassNameOf(const Base&)` in its namespace instead.

namespace revctl {

class Reader;
class Writer;
class SizeCounter;

namespace detail {

void RevctlPolymorphic();  // declares the name; REVCTL_POLYMORPHIC adds overloads

/// True if REVCTL_POLYMORPHIC(Base) is declared.
template <class Base>
concept Polymorphic = requires {
  RevctlPolymorphic(Tag<Base>{});
};

/// True if T's namespace contains `std::string_view ClassNameOf(const T&)`. This function returns
/// the name of an object's class if RTTI is off or unsuitable (for classes that scripts define).
/// Object streams also use it.
template <class T>
concept NamesItsClass = requires(const T& object) {
  { ClassNameOf(object) } -> std::convertible_to<std::string_view>;
};

/// A class that a std::unique_ptr<Base> may hold.
template <class Base>
struct PolymorphicClass {
  std::string_view name;
  const TypeInfo* (*type)();
  const std::type_info* dynamic;  ///< null without RTTI
  std::size_t size;
  std::unique_ptr<Base> (*make)();
  bool (*is)(const Base&);
  void* (*object)(Base&);  ///< downcasts to the registered class
  void (*read)(Reader&, Base&);
  void (*write)(Writer&, Base&);
  void (*count)(SizeCounter&, Base&);
};

template <class Base>
std::vector<PolymorphicClass<Base>>& PolymorphicClasses() {
  static std::vector<PolymorphicClass<Base>> classes;
  return classes;
}

/// Returns the error in the registrations for Base (two classes with the same name), or "".
/// Registrations run before main() and cannot report errors, so reading or writing a Base reports
/// this error.
template <class Base>
std::string& RegistrationTrouble() {
  static std::string trouble;
  return trouble;
}

template <class Base>
const PolymorphicClass<Base>* FindClass(std::string_view name) {
  for (const auto& one : PolymorphicClasses<Base>()) {
    if (one.name == name) return &one;
  }
  return nullptr;
}
/// Returns the registered class of an object, or null if it is not registered.
template <class Base>
const PolymorphicClass<Base>* ClassOf(const Base& object) {
  if constexpr (requires { object.RevctlClassName(); }) {
    return FindClass<Base>(object.RevctlClassName());
  } else {
    if constexpr (NamesItsClass<Base>) {
      // ClassNameOf() may return a name meant for object streams and not registered here. In that
      // case, use typeid.
      if (const auto* named = FindClass<Base>(ClassNameOf(object)); named != nullptr) return named;
    }
    for (const auto& one : PolymorphicClasses<Base>()) {
      if (one.is(object)) return &one;
    }
    return nullptr;
  }
}

template <class Base, class Derived>
bool IsExactly([[maybe_unused]] const Base& object) {
#ifdef REVCTL_DETAIL_RTTI
  return typeid(object) == typeid(Derived);
#else
  static_assert(
      requires { object.RevctlClassName(); } || NamesItsClass<Base>,
      "revctl: without RTTI the base class needs `virtual const char* RevctlClassName() const`, or "
      "its namespace needs a function `std::string_view ClassNameOf(const Base&)`");
  return false;
#endif
}

/// The content of a polymorphic pointer. An AnyArchive visits it as a record with two fields.
template <class Base>
struct PolymorphicContent {
  std::unique_ptr<Base>* pointer = nullptr;
};

}  // namespace detail
}  // namespace revctl

/// Allows std::unique_ptr<Base> to hold derived classes. Use it in Base's namespace, before the
/// first body that visits such a pointer.
#define REVCTL_POLYMORPHIC(Base)                                                           \
  [[maybe_unused]] inline void RevctlPolymorphic(::revctl::Tag<Base>) {}                   \
  static_assert(::revctl::detail::Polymorphic<Base>,                                       \
                "revctl: REVCTL_POLYMORPHIC belongs in the namespace of its class, where " \
                "the compiler looks for it: " #Base)

/// Registers Derived under `name`, which must be unique among the classes of Base. Use it at
/// namespace scope in one source file, after Derived's body. Repeating the registration, for
/// example in a header shared by two plug-ins, is harmless.
#define REVCTL_REGISTER_CLASS(Base, Derived, name)                                                 \
  [[maybe_unused]] static const bool REVCTL_DETAIL_CAT(revctl_registered_, REVCTL_DETAIL_UNIQUE) = \
      ::revctl::RegisterClass<Base, Derived>(name)
