#pragma once

// Serialization with one function per type and one revision number for everything. Most code needs
// only this header:
//
//   #include <revctl/serialize.h>
//   #include "master_version_list.h"
//
//   struct GameScore { int32_t p1Score = 0, p2Score = 0; };
//
//   SERIALIZE_TYPE(GameScore) {
//     ADD(SR_INITIAL, p1Score);
//     ADD(SR_INITIAL, p2Score);
//   } SERIALIZE_END
//
//   revctl::Save(SR_LATEST, score, bytes);  // 16-byte header and payload
//   revctl::Load(bytes, score, SR_LATEST);  // reads this and older revisions, rejects newer ones
//
// Only where `revctl codegen`'s table is included, `Load(bytes, score)` compiles, because it knows
// the newest revision.
//
// The payload consists of little-endian fixed-width values, with no overhead per field:
//
//   bool                 u8, 0 or 1              optional, unique_ptr   u8 flag, value
//   integers, floats     their bytes             variant                u8 index, value
//   enums                underlying type         array, T[n]            values
//   string               u32 count, bytes        pair, tuple            values
//   vector               u32 count, values       bitset<n>              (n+7)/8 bytes
//   map, set             u32 count, in key order; duplicate keys are rejected
//
// Every value has exactly one encoding, and reading rejects others (a bool of 7, bits beyond the
// end of a bitset). The exception is key order: reading accepts any order, because a program's
// order may change. Ordered containers are written in their own order, unordered ones sorted by `<`
// (or KeyOrder).

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include <revctl/detail/binary/flat_proof.h>
#include <revctl/detail/binary/save_load.h>
#include <revctl/detail/types/polymorphic.h>
#include <revctl/detail/visit/macros.h>
#include <revctl/detail/visit/type_making.h>
#include <revctl/reader.h>
#include <revctl/size_counter.h>
#include <revctl/writer.h>

namespace revctl {
namespace detail {

/// Returns null without RTTI.
template <class T>
const std::type_info* DynamicType() {
#ifdef REVCTL_DETAIL_RTTI
  return &typeid(T);
#else
  return nullptr;
#endif
}

/// True if the registered class is T. Each plug-in has its own TypeInfo objects, so different
/// addresses do not prove that the classes differ.
template <class T, class Base>
bool IsRegistrationOf(const PolymorphicClass<Base>& known) {
  if (known.type() == &TypeOf<T>()) return true;
  const std::type_info* const dynamic = DynamicType<T>();
  if (known.dynamic != nullptr && dynamic != nullptr) return *known.dynamic == *dynamic;
  return known.size == sizeof(T) && known.type()->name() == TypeName<T>();
}

}  // namespace detail

/// Registers Derived as a class that std::unique_ptr<Base> may hold. `name` (static storage)
/// identifies it in files. Call this before any object is read or written.
///
/// Returns false if the name is taken. If Derived itself was registered under it, the call has no
/// effect. If another class was, every later read or write through Base fails with an error that
/// names both classes.
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
      .type = []() -> const TypeInfo* { return &detail::TypeWithMaking<Derived>(); },
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

// Bodies in source files, for types that a header declares with SERIALIZE_DECLARE.

/// Begins the body of T, in T's namespace: `SERIALIZE_DEFINE(T) {...} SERIALIZE_END`.
#define REVCTL_SERIALIZE_DEFINE(...)                                                           \
  constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>);                                       \
  void RevctlVisit(::revctl::Reader& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {      \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisit(::revctl::Writer& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {      \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisit(::revctl::SizeCounter& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) { \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisit(::revctl::AnyArchive& r, __VA_ARGS__& d, ::revctl::Tag<__VA_ARGS__> tag) {  \
    ::revctl::detail::RunSplitBody(r, d, tag);                                                 \
  }                                                                                            \
  void RevctlVisitMany(::revctl::Reader& r, ::std::vector<__VA_ARGS__>& d,                     \
                       ::revctl::Tag<__VA_ARGS__>) {                                           \
    ::revctl::detail::RunSplitElements<true>(r, d);                                            \
  }                                                                                            \
  void RevctlVisitMany(::revctl::Writer& r, ::std::vector<__VA_ARGS__>& d,                     \
                       ::revctl::Tag<__VA_ARGS__>) {                                           \
    ::revctl::detail::RunSplitElements<false>(r, d);                                           \
  }                                                                                            \
  constexpr auto RevctlBody(::revctl::Tag<__VA_ARGS__>) {                                      \
    return []([[maybe_unused]] auto& r, [[maybe_unused]] auto& d, [[maybe_unused]] auto* t) -> void

#ifndef REVCTL_NO_SHORT_MACROS
#define SERIALIZE_DEFINE(...) REVCTL_SERIALIZE_DEFINE(__VA_ARGS__)
#endif

namespace revctl::detail {

/// A template, because the body is defined later in the file than the functions that call this.
template <class R, class T>
void RunSplitBody(R& r, T& object, Tag<T> tag) {
  if constexpr (requires { typename BodyArchive<R>::Type; }) {
    typename BodyArchive<R>::Type body(r);
    RevctlBody(tag)(body, object, std::addressof(object));
  } else {
    if constexpr (kErased<R>) LearnFields<T>();
    RevctlBody(tag)(r, object, std::addressof(object));
  }
}

/// Called only for SERIALIZE_DECLARE_FLAT types; does nothing for others, so that they need not
/// compile as flat.
template <bool is_reading, class R, class T>
void RunSplitElements([[maybe_unused]] R& r, [[maybe_unused]] std::vector<T>& elements) {
  if constexpr (StatedFlat<T>) {
    ProveStated<T, is_reading>();
    r.FlatElements(elements);
  }
}

}  // namespace revctl::detail
