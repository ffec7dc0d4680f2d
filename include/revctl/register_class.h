#pragma once
#include "revctl/polymorphic.h"
#include "revctl/reader.h"
#include "revctl/size_counter.h"
#include "revctl/writer.h"

namespace revctl {

/// Makes Derived known as a class that std::unique_ptr<Base> may hold; `name` (static storage) is what files say. Returns
/// false, and changes nothing, where the name is taken. Call it before the first object is read or written.
template <class Base, class Derived>
bool RegisterClass(const char* name) {
  static_assert(std::is_base_of_v<Base, Derived> && std::has_virtual_destructor_v<Base>,
                "revctl: a registered class derives from Base, and Base has a virtual destructor");
  static_assert(std::is_default_constructible_v<Derived>, "revctl: reading makes objects as Derived{}");
  if (detail::FindClass<Base>(name) != nullptr) return false;
  detail::PolymorphicClasses<Base>().push_back({
      .name = name,
      .type = []() -> const TypeInfo* { return &TypeOf<Derived>(); },
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
