#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>

#include <revctl/detail/types/polymorphic.h>
#include <revctl/reader.h>
#include <revctl/size_counter.h>
#include <revctl/writer.h>

namespace revctl {
namespace detail {

/// Null without RTTI.
template <class T>
const std::type_info* DynamicType() {
#if defined(__cpp_rtti)
  return &typeid(T);
#else
  return nullptr;
#endif
}

/// Whether a class that is registered is T. Each plug-in has descriptors of its own, so that their
/// addresses say only yes.
template <class T, class Base>
bool IsRegistrationOf(const PolymorphicClass<Base>& known) {
  if (known.type() == &TypeOf<T>()) return true;
  const std::type_info* const dynamic = DynamicType<T>();
  if (known.dynamic != nullptr && dynamic != nullptr) return *known.dynamic == *dynamic;
  return known.size == sizeof(T) && known.type()->name() == TypeName<T>();
}

}  // namespace detail

/// Makes Derived known as a class that std::unique_ptr<Base> may hold; `name` (static storage) is
/// what files say. Call it before the first object is read or written. Returns false where the name
/// is taken: by Derived itself, and nothing changes; or by another class, and then every object
/// that is read or written through Base is an error which names both.
template <class Base, class Derived>
bool RegisterClass(const char* name) {
  static_assert(std::is_base_of_v<Base, Derived> && std::has_virtual_destructor_v<Base>,
                "revctl: a registered class derives from Base, and Base has a virtual destructor");
  static_assert(std::is_default_constructible_v<Derived>,
                "revctl: reading makes objects as Derived{}");
  if (const detail::PolymorphicClass<Base>* const known = detail::FindClass<Base>(name);
      known != nullptr) {
    std::string& trouble = detail::RegistrationTrouble<Base>();
    if (trouble.empty() && !detail::IsRegistrationOf<Derived>(*known)) {
      trouble = "the class name \"" + std::string(name) +
                "\" is registered twice (REVCTL_REGISTER_CLASS): for " + known->type()->name() +
                " and for " + TypeName<Derived>();
    }
    return false;
  }
  detail::PolymorphicClasses<Base>().push_back({
      .name = name,
      .type = []() -> const TypeInfo* { return &TypeOf<Derived>(); },
      .dynamic = detail::DynamicType<Derived>(),
      .size = sizeof(Derived),
      .make = []() -> std::unique_ptr<Base> { return std::make_unique<Derived>(); },
      .is = &detail::IsExactly<Base, Derived>,
      .object = [](Base& base) -> void* { return std::addressof(static_cast<Derived&>(base)); },
      .read = [](Reader& r, Base& base) { r.Value(static_cast<Derived&>(base)); },
      .write = [](Writer& r, Base& base) { r.Value(static_cast<Derived&>(base)); },
      .count = [](SizeCounter& r, Base& base) { r.Value(static_cast<Derived&>(base)); },
  });
  return true;
}

}  // namespace revctl
