#pragma once

// One Serialize function for each type and one revision number for everything. This header is all
// that most code needs:
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
//   revctl::Load(bytes, score, SR_LATEST);  // at this or any older revision; newer ones are
//   refused
//
// Where `revctl codegen`'s table is included, `Load(bytes, score)` knows the newest revision by
// itself.
//
// The payload has no overhead per field: little-endian fixed-width values one after another.
//
//   bool                 u8, 0 or 1              optional, unique_ptr   u8 flag, value
//   integers, floats     their bytes             variant                u8 index, value
//   enums                underlying type         array, T[n]            values
//   string               u32 count, bytes        pair, tuple            values
//   vector               u32 count, values       bitset<n>              (n+7)/8 bytes
//   map, set             u32 count, in key order; a key that stands twice is refused
//
// Every value is written in exactly one way, and reading refuses others (a bool of 7, bits beyond a
// bitset's end). Only keys may come in any order: how a program orders them may change. Written are
// ordered containers in their own order, unordered ones sorted by `<` (or KeyOrder).

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

// A type that a header declares with SERIALIZE_DECLARE has its body in one source file.

/// Opens the body of T: `SERIALIZE_DEFINE(T) {...} SERIALIZE_END`, in T's namespace.
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

/// A template, so that the body, which stands below the functions that run it, is looked up at the
/// end of the file.
template <class R, class T>
void RunSplitBody(R& r, T& object, Tag<T> tag) {
  if constexpr (requires { typename BodyArchive<R>::Type; }) {
    typename BodyArchive<R>::Type body(r);
    RevctlBody(tag)(body, object, std::addressof(object));
  } else {
    RevctlBody(tag)(r, object, std::addressof(object));
  }
}

/// Only called for types of SERIALIZE_DECLARE_FLAT, and only compiled further for them.
template <bool is_reading, class R, class T>
void RunSplitElements([[maybe_unused]] R& r, [[maybe_unused]] std::vector<T>& elements) {
  if constexpr (StatedFlat<T>) {
    ProveStated<T, is_reading>();
    r.FlatElements(elements);
  }
}

}  // namespace revctl::detail
