#pragma once
#include <cstddef>
#include <memory>
#include <new>
#include <tuple>
#include <utility>
#include <variant>

#include <revctl/detail/types/aggregate_members.h>
#include <revctl/detail/types/enum_names.h>
#include <revctl/detail/types/type_info.h>
#include <revctl/detail/types/type_name.h>
#include <revctl/detail/types/wire_kind.h>
#include <revctl/detail/visit/any_visitor.h>

// The descriptor of every wire type, `TypeOf<T>()`. Include this (or serialize.h) where TypeOf is
// used.

namespace revctl {
namespace detail {

template <class... T>
const TypeInfo& PartOf(std::size_t i) {
  using Get = const TypeInfo& (*)();
  static constexpr Get parts[] = {&TypeOf<T>...};
  return parts[i]();
}

/// Parts of T, as a list of types.
template <class T>
struct PartsOf {
  static constexpr std::size_t count = 0;
  static constexpr const TypeInfo& (*part)(std::size_t) = nullptr;
};
template <class... T>
struct PartList {
  static constexpr std::size_t count = sizeof...(T);
  static constexpr const TypeInfo& (*part)(std::size_t) = &PartOf<T...>;
};
template <class T>
requires requires { typename Shape<T>::Element; }
struct PartsOf<T> : PartList<typename Shape<T>::Element> {};
template <class T>
requires(
    requires { typename Shape<T>::Key; } &&
    !requires { typename Shape<T>::Mapped; }) struct PartsOf<T> : PartList<typename Shape<T>::Key> {
};
template <class T>
requires requires { typename Shape<T>::Mapped; }
struct PartsOf<T> : PartList<typename Shape<T>::Key, typename Shape<T>::Mapped> {};
template <class A, class B>
struct PartsOf<std::pair<A, B>> : PartList<A, B> {};
template <class... T>
struct PartsOf<std::tuple<T...>> : PartList<T...> {};
template <>
struct PartsOf<std::tuple<>> {
  static constexpr std::size_t count = 0;
  static constexpr const TypeInfo& (*part)(std::size_t) = nullptr;
};
template <class... T>
struct PartsOf<std::variant<T...>> : PartList<T...> {};

template <class T>
void ConstructFresh(void* storage) {
  if constexpr (std::is_array_v<T>) {
    for (auto& element : *static_cast<T*>(storage))
      ConstructFresh<std::remove_extent_t<T>>(std::addressof(element));
  } else {
    ::new (storage) T{};
  }
}

template <class T>
consteval auto ConstructFunction() -> void (*)(void*) {
  if constexpr (std::is_default_constructible_v<T>) {
    return &ConstructFresh<T>;
  } else {
    return nullptr;
  }
}

template <class T>
consteval std::size_t CountOf() {
  if constexpr (requires { Shape<T>::count; }) {
    return Shape<T>::count;
  } else {
    return 0;
  }
}

template <class T>
consteval Kind UnderlyingKindOf() {
  if constexpr (std::is_enum_v<T> && KindOf<T>() == Kind::Enum) {
    return Number<std::underlying_type_t<T>>::kind;
  } else {
    return KindOf<T>();
  }
}

template <class T>
consteval auto EnumeratorsFunction() -> const Enumerator* (*)() {
  if constexpr (KindOf<T>() == Kind::Enum) {
    return &EnumeratorsWithNames<T>;
  } else {
    return nullptr;
  }
}

/// T travels as another type: what that type is, but visited and made as T.
template <class T>
constexpr TypeInfo MakeTypeInfo();

template <class T>
inline constexpr TypeInfo kTypeInfo = MakeTypeInfo<T>();

/// The body covers every member of T by its nature, though it does not visit them in their places:
/// nothing for the harness to count.
template <class T>
inline constexpr bool kVisitsWhole = kIsPolymorphicContent<T>;

template <class T>
consteval std::size_t CountMembers() {
  if constexpr (KindOf<T>() == Kind::Record && !kVisitsWhole<T>) {
    return AggregateMembers<T>();
  } else {
    return 0;
  }
}

template <class T>
inline constexpr TypeInfo kOwnTypeInfo{
    .kind = KindOf<T>(),
    .underlying = UnderlyingKindOf<T>(),
    .size = sizeof(T),
    .alignment = alignof(T),
    .cost = kElementCost<T>,
    .count = CountOf<T>(),
    .name = &TypeName<T>,
    .part = PartsOf<T>::part,
    .parts = PartsOf<T>::count,
    .enumerators = EnumeratorsFunction<T>(),
    .visit = &VisitAny<T>,
    .construct = ConstructFunction<T>(),
    .destroy = [](void* object) { std::destroy_at(static_cast<T*>(object)); },
    .aggregate_members = CountMembers<T>(),
};

template <class T>
constexpr TypeInfo MakeTypeInfo() {
  if constexpr (HasWireAs<T>) {
    TypeInfo info = MakeTypeInfo<typename WireAs<T>::Type>();
    info.size = sizeof(T);
    info.alignment = alignof(T);
    info.visit = &VisitAny<T>;
    info.construct = ConstructFunction<T>();
    info.destroy = [](void* object) { std::destroy_at(static_cast<T*>(object)); };
    return info;
  } else if constexpr (kIsAligned<T>) {
    // Made, visited and destroyed as the value that it holds, as which ADD_ALIGNED has it.
    using Value = typename T::Type;
    static_assert(sizeof(T) == sizeof(Value));
    TypeInfo info = MakeTypeInfo<Value>();
    info.name = &TypeName<T>;
    info.visit = &VisitAligned<kAlignment<T>, Value>;
    info.aligned = kAlignment<T>;
    return info;
  } else {
    return kOwnTypeInfo<T>;
  }
}

}  // namespace detail

template <class T>
const TypeInfo& TypeOf() {
  return detail::kTypeInfo<T>;
}

}  // namespace revctl
