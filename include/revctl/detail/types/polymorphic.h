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

#include <revctl/detail/types/any_archive.h>
#include <revctl/detail/types/type_info.h>

// std::unique_ptr<Base> that holds objects of derived classes. On the wire: u8 flag, the class's
// name as a string, the object.
//
//   struct Shape { virtual ~Shape() = default; };
//   REVCTL_POLYMORPHIC(Shape);                          // header, in Shape's namespace
//
//   struct Circle : Shape { float radius = 0; };
//   SERIALIZE_TYPE(Circle) { ADD(SR_INITIAL, radius); } SERIALIZE_END
//   REVCTL_REGISTER_CLASS(Shape, Circle, "circle");     // one source file, at namespace scope
//
// The name is what files hold: it outlives renames of the C++ class. An unknown name is an error
// while reading, an object of an unregistered class is one while writing, and a name that two
// classes were registered under is one wherever a Base is read or written. The class of an object
// is found by typeid; without RTTI (or to be quicker) Base has a member `const char*
// RevctlClassName() const` that gives the registered name, or, where Base is another library's, its
// namespace has a function `std::string_view ClassNameOf(const Base&)` that does.

namespace revctl {

class Reader;
class Writer;
class SizeCounter;

namespace detail {

void RevctlPolymorphic();  // makes the name known

/// REVCTL_POLYMORPHIC(Base) was said.
template <class Base>
concept Polymorphic = requires {
  RevctlPolymorphic(Tag<Base>{});
};

/// A hook in the class's namespace, `std::string_view ClassNameOf(const Actor&)`, which says an
/// object's class where RTTI cannot (it is off), or should not (classes that scripts define).
/// Object streams ask it as well.
template <class T>
concept NamesItsClass = requires(const T& object) {
  { ClassNameOf(object) } -> std::convertible_to<std::string_view>;
};

/// One class that a std::unique_ptr<Base> may hold.
template <class Base>
struct PolymorphicClass {
  std::string_view name;
  const TypeInfo* (*type)();
  const std::type_info* dynamic;  ///< null without RTTI
  std::size_t size;
  std::unique_ptr<Base> (*make)();
  bool (*is)(const Base&);
  void* (*object)(Base&);  ///< the whole object, as its own class
  void (*read)(Reader&, Base&);
  void (*write)(Writer&, Base&);
  void (*count)(SizeCounter&, Base&);
};

template <class Base>
std::vector<PolymorphicClass<Base>>& PolymorphicClasses() {
  static std::vector<PolymorphicClass<Base>> classes;
  return classes;
}

/// What was wrong with the registrations for Base: two classes of one name. They run before main(),
/// where no error can be returned, so the first read or write of a Base reports it. Empty where all
/// is well.
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
/// The registered class of an object, or null.
template <class Base>
const PolymorphicClass<Base>* ClassOf(const Base& object) {
  if constexpr (requires { object.RevctlClassName(); }) {
    return FindClass<Base>(object.RevctlClassName());
  } else {
    if constexpr (NamesItsClass<Base>) {
      // Object streams may know it by another name, which is none here: then typeid says.
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
#if defined(__cpp_rtti)
  return typeid(object) == typeid(Derived);
#else
  static_assert(
      requires { object.RevctlClassName(); } || NamesItsClass<Base>,
      "revctl: without RTTI the base class needs `virtual const char* RevctlClassName() const`, or "
      "its namespace a "
      "function `std::string_view ClassNameOf(const Base&)`");
  return false;
#endif
}

/// What a polymorphic pointer holds, as a record of two fields, for archives of virtual functions.
template <class Base>
struct PolymorphicContent {
  std::unique_ptr<Base>* pointer = nullptr;
};

}  // namespace detail
}  // namespace revctl

/// std::unique_ptr<Base> may hold derived classes. In Base's namespace, before its first use in a
/// body.
#define REVCTL_POLYMORPHIC(Base)                                                              \
  [[maybe_unused]] inline void RevctlPolymorphic(::revctl::Tag<Base>) {}                      \
  static_assert(::revctl::detail::Polymorphic<Base>,                                          \
                "revctl: REVCTL_POLYMORPHIC stands in the namespace of its class, where the " \
                "compiler looks for it: " #Base)

/// Makes Derived known under `name`, which no other class derived from Base has. At namespace scope
/// in one source file, after Derived's body; in several (a header of two plug-ins) it does no harm.
#define REVCTL_REGISTER_CLASS(Base, Derived, name)                                        \
  [[maybe_unused]] static const bool REVCTL_DETAIL_CAT(revctl_registered_, __COUNTER__) = \
      ::revctl::RegisterClass<Base, Derived>(name)
